// E2B's official SDK for JavaScript, unchanged: told of the server by E2B_API_URL, E2B_SANDBOX_URL and E2B_API_KEY.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'

// The packages lie elsewhere: import looks beside this file only.
const { CommandExitError, NotFoundError, Sandbox } = createRequire(process.env.SG_E2B_JS + '/package.json')('@e2b/code-interpreter')

test('a sandbox lives and ends', async () => {
  const sandbox = await Sandbox.create({ timeoutMs: 60_000, metadata: { who: 'js' } })
  assert.equal(await sandbox.isRunning(), true)
  const info = await sandbox.getInfo()
  assert.deepEqual(info.metadata, { who: 'js' })
  await sandbox.setTimeout(120_000)
  const listed = await Sandbox.list({ query: { metadata: { who: 'js' } } }).nextItems()
  assert.deepEqual(listed.map((each) => each.sandboxId), [sandbox.sandboxId])
  const again = await Sandbox.connect(sandbox.sandboxId)
  assert.equal((await again.runCode('1 + 1')).text, '2')
  assert.equal(await sandbox.kill(), true)
  assert.equal(await sandbox.isRunning(), false)
  await assert.rejects(() => Sandbox.connect(sandbox.sandboxId), NotFoundError)
})

test('code, commands, files and ports', async () => {
  const sandbox = await Sandbox.create({ envs: { COLOUR: 'green' } })
  try {
    const told = []
    const done = await sandbox.runCode("import os\nprint(os.environ['COLOUR'])\nx = 41\nx + 1", { onStdout: (line) => told.push(line.line) })
    assert.deepEqual([done.text, done.logs.stdout.join(''), told.join('')], ['42', 'green\n', 'green\n'])
    assert.equal((await sandbox.runCode('1 / 0')).error.name, 'ZeroDivisionError')
    const context = await sandbox.createCodeContext()
    assert.equal((await sandbox.runCode('x', { context })).error.name, 'NameError')
    assert.equal((await sandbox.runCode('x')).text, '41')

    const ran = await sandbox.commands.run('echo $COLOUR; echo bad >&2')
    assert.deepEqual([ran.stdout, ran.stderr, ran.exitCode], ['green\n', 'bad\n', 0])
    await assert.rejects(() => sandbox.commands.run('exit 3'), (failed) => failed instanceof CommandExitError && failed.exitCode === 3)
    const cat = await sandbox.commands.run('read line; echo got $line', { background: true, stdin: true })
    await sandbox.commands.sendStdin(cat.pid, 'one\n')
    assert.equal((await cat.wait()).stdout, 'got one\n')
    const sleeping = await sandbox.commands.run('sleep 100', { background: true })
    assert.equal(await sleeping.kill(), true)

    await sandbox.files.write('deep/a.txt', 'content')
    assert.equal(await sandbox.files.read('deep/a.txt'), 'content')
    assert.deepEqual((await sandbox.files.list('deep')).map((each) => each.name), ['a.txt'])
    assert.equal(await sandbox.files.exists('deep/b.txt'), false)
    const percents = ['p/%2e%2e%2fq', 'p/a b', 'p/a"b', 'p/a%20b'].sort()
    await sandbox.files.write(percents.map((path) => ({ path, data: path })))
    assert.deepEqual((await sandbox.files.list('p')).map((each) => `p/${each.name}`).sort(), percents)
    for (const path of percents) assert.equal(await sandbox.files.read(path), path)
    await sandbox.files.remove('deep')
    await assert.rejects(() => sandbox.files.read('deep/a.txt'), NotFoundError)
    assert.match(sandbox.getHost(3000), /^3000-[0-9a-f]{20}\.localhost:\d+$/)
  } finally {
    await sandbox.kill()
  }
})
