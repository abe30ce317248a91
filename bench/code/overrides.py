"""Which classes and methods stand below which, as Python itself resolves it: `python3 overrides.py FOLDER FILE…` imports
every module that needs no other package and prints `file TAB line TAB file below TAB line below` for each pair."""
import importlib
import inspect
import os
import signal
import sys

root = os.path.realpath(sys.argv[1])
for folder in (root, os.path.join(root, "src")):
    sys.path.insert(0, folder)


def place(thing):
    try:
        thing = inspect.unwrap(thing)
        path = os.path.realpath(inspect.getsourcefile(thing))
        lines, start = inspect.getsourcelines(thing)
    except (TypeError, OSError):
        return None
    if not path.startswith(root + os.sep):
        return None
    head = next((i for i, line in enumerate(lines) if line.lstrip().startswith(("class ", "def ", "async def "))), 0)
    return f"{os.path.relpath(path, root)}\t{start + head}"


def pair(above, below):
    first, second = place(above), place(below)
    if first and second and first != second:
        print(f"{first}\t{second}")


def give_up(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, give_up)
real_out, sys.stdout = sys.stdout, sys.stderr
classes = {}
for file in sys.argv[2:]:
    if not file.endswith(".py") or "test" in file or file.endswith("__main__.py"):
        continue
    name = file.removeprefix("src/").removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    # A script may do its work when it is imported, and wait.
    signal.alarm(10)
    try:
        module = importlib.import_module(name)
    except BaseException:
        continue
    finally:
        signal.alarm(0)
    for value in vars(module).values():
        if inspect.isclass(value):
            classes[id(value)] = value
sys.stdout = real_out
for type_ in classes.values():
    for above in type_.__mro__[1:]:
        pair(above, type_)
        for name, member in vars(type_).items():
            theirs = vars(above).get(name)
            if inspect.isfunction(member) and inspect.isfunction(theirs) and member.__name__ == name:
                pair(theirs, member)
