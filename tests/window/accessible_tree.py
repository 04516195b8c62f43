"""What a window tells assistive technology, read as a whole: thousands of questions under way at once, where pyatspi waits for
each answer before the next. Used to find things; pyatspi acts on them."""

import gi

gi.require_version("Gio", "2.0")
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

ACCESSIBLE = "org.a11y.atspi.Accessible"
NOTHING = "/org/a11y/atspi/null"
CHILDREN_READ = 300  # of one parent: of the rows of a long table the first
PLACES_READ = 5000


class Place:
    """One thing in the tree. steps: from the root, which child of which child."""

    __slots__ = ("path", "steps", "name", "children")

    def __init__(self, path, steps):
        self.path, self.steps, self.name, self.children = path, steps, "", []


class AccessibleTree:
    """Of one process on this session's accessibility bus. Raises LookupError until the process is there."""

    def __init__(self, process_id):
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, -1, None)
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.bus = Gio.DBusConnection.new_for_address_sync(address.unpack()[0], flags, None, None)
        self.context = GLib.MainContext.new()
        self.name, self.root = self._application(process_id)

    def _application(self, process_id):
        listed = self.bus.call_sync("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root", ACCESSIBLE, "GetChildren", None, None, 0,
                                    -1, None).unpack()[0]
        for name, path in listed:
            owner = self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                       "GetConnectionUnixProcessID", GLib.Variant("(s)", (name,)), None, 0, -1, None)
            if owner.unpack()[0] == process_id:
                return name, path
        raise LookupError(f"process {process_id} is not on the accessibility bus")

    def _ask(self, questions):
        """Answers in the order of the questions (path, interface, method, arguments); None for what is gone."""
        answers = [None] * len(questions)
        open_questions = len(questions)

        def answered(bus, result, index):
            nonlocal open_questions
            open_questions -= 1
            try:
                answers[index] = bus.call_finish(result).unpack()[0]
            except GLib.Error:
                pass

        self.context.push_thread_default()
        try:
            for index, (path, interface, method, arguments) in enumerate(questions):
                self.bus.call(self.name, path, interface, method, arguments, None, 0, 10000, None, answered, index)
            while open_questions:
                self.context.iteration(True)
        finally:
            self.context.pop_thread_default()
        return answers

    def _properties(self, places, name):
        arguments = GLib.Variant("(ss)", (ACCESSIBLE, name))
        return self._ask([(place.path, "org.freedesktop.DBus.Properties", "Get", arguments) for place in places])

    def _children(self, parents, counts):
        """Pairs of a parent and the path of one of its children, in their order."""
        questions, owners = [], []
        for parent, count in zip(parents, counts):
            if not count:
                continue
            asked = [(parent.path, ACCESSIBLE, "GetChildren", None)]
            if count > CHILDREN_READ:
                asked = [(parent.path, ACCESSIBLE, "GetChildAtIndex", GLib.Variant("(i)", (i,))) for i in range(CHILDREN_READ)]
            questions += asked
            owners += [parent] * len(asked)
        for parent, answer in zip(owners, self._ask(questions)):
            for _, path in answer if isinstance(answer, list) else [answer or ("", NOTHING)]:
                yield parent, path

    def read(self):
        """Every place, each before its children, as a reader would meet them."""
        root = Place(self.root, ())
        layer, known = [root], 1
        while layer and known < PLACES_READ:
            for place, name in zip(layer, self._properties(layer, "Name")):
                place.name = name or ""
            counts = self._properties(layer, "ChildCount")
            below, indexes = [], {}
            for parent, path in self._children(layer, counts):
                index = indexes[parent] = indexes.get(parent, -1) + 1
                if path != NOTHING:
                    parent.children.append(Place(path, parent.steps + (index,)))
                    below.append(parent.children[-1])
            layer = below
            known += len(below)
        return list(self._in_order(root))

    def _in_order(self, root):
        stack = [root]
        while stack:
            place = stack.pop()
            yield place
            stack += reversed(place.children)

    def roles(self, places):
        numbers = self._ask([(place.path, ACCESSIBLE, "GetRole", None) for place in places])
        return ["" if number is None else Atspi.role_get_name(Atspi.Role(number)) for number in numbers]

    def states(self, places):
        """Of each place the set of its states' numbers, pyatspi's STATE_…."""
        answers = self._ask([(place.path, ACCESSIBLE, "GetState", None) for place in places])
        return [{32 * word + bit for word, bits in enumerate(answer or []) for bit in range(32) if bits >> bit & 1} for answer in answers]
