# What the code itself left: a process and files.
import shutil

child.kill()
child.wait()
for name in os.listdir("artifacts"):
    path = "artifacts/" + name
    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
None
