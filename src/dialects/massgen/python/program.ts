/** The program of the warm Python process: takes calls as lines of JSON, and answers each with lines of JSON. */
import { PYTHON_CONTRACT } from './contract.js';

/** The limit, in characters, of an answer and of what one call may print; more is cut off. */
export const MAX_TEXT = 1_048_576;

/**
 * Runs with `python3 -c`, followed by the working directory and the folders to import from. What handlers print
 * belongs to the call they run in; only this program writes to the real stdout. When stdin ends, the host is gone,
 * and so everything here exits.
 */
export const PYTHON_PROGRAM = `
import sys
sys.path[:] = [folder for folder in sys.path if folder not in ("", ".")]
import asyncio, contextvars, functools, importlib, importlib.abc, importlib.util
import inspect, io, json, os, signal, threading, traceback

answers = os.dup(1)
requests = os.fdopen(os.dup(0), "rb")
os.dup2(2, 1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
sending = threading.Lock()
current = contextvars.ContextVar("call", default=None)
tasks = {}
found = {}
threads_at_work = set()

def leave():
    # Everything a handler has started is in this group.
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)

def send(message):
    line = json.dumps(message, allow_nan=False).encode() + b"\\n"
    with sending:
        try:
            while line:
                line = line[os.write(answers, line):]
        except OSError:
            leave()

class Call:
    def __init__(self, number):
        self.number = number
        self.room = ${MAX_TEXT}

class Tap(io.TextIOBase):
    """Stands for sys.stdout and sys.stderr: what is printed belongs to the call that prints it."""
    encoding = "utf-8"
    errors = "replace"
    def writable(self):
        return True
    def fileno(self):
        return 2
    @property
    def buffer(self):
        return sys.__stderr__.buffer
    def write(self, text):
        call = current.get()
        if call is None:
            os.write(2, text.encode("utf-8", "replace"))
        elif text and call.room > 0:
            send({"id": call.number, "text": text[:call.room]})
            call.room -= len(text)
        return len(text)

sys.stdout = sys.stderr = Tap()

${PYTHON_CONTRACT}

def describe(error):
    """One line: what was raised, and where."""
    said = " ".join([type(error).__name__ + ":", *str(error).split()])[:2000]
    if isinstance(error, SyntaxError):
        return said
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not is_inner(f.filename)]
    place = " (%s, line %s)" % (os.path.basename(frames[-1].filename), frames[-1].lineno) if frames else ""
    return said + place

def is_inner(file):
    return file.startswith("<") or os.path.dirname(file) == os.path.dirname(importlib.__file__)

def import_file(path):
    name = "hookline_file_" + path.encode().hex()
    if name in sys.modules:
        return sys.modules[name]
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.append(folder)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module

def import_longest(names):
    """The longest beginning that is a module, and the names that are left to look up in it."""
    for length in range(len(names) - 1, 0, -1):
        module = ".".join(names[:length])
        try:
            return importlib.import_module(module), names[length:]
        except ModuleNotFoundError as error:
            # A module that is there but misses another one is broken, not absent.
            absent = error.name is not None and (module + ".").startswith(error.name + ".")
            if not absent or length == 1:
                raise

def find(handler):
    if handler.get("file"):
        target, names = import_file(handler["file"]), handler["name"].split(".")
    else:
        target, names = import_longest(handler["name"].split("."))
    for name in names:
        target = getattr(target, name)
    if inspect.isclass(target) or not callable(target):
        kind = "a class" if inspect.isclass(target) else "a " + type(target).__name__
        raise TypeError("%s is %s; name a function, or an object that can be called" % (handler["name"], kind))
    return target

def resolve(handler):
    key = json.dumps(handler, sort_keys=True)
    if key not in found:
        try:
            found[key] = (find(handler), None)
        except BaseException as error:
            traceback.print_exc()
            found[key] = (None, describe(error))
    return found[key]

def is_async(function):
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))

async def in_thread(function, event):
    """A thread of its own: a pool could be used up by functions that hang."""
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    context = contextvars.copy_context()
    def settle(outcome):
        if not future.done():
            future.set_result(outcome)
    def work():
        try:
            outcome = (context.run(function, event), None)
        except BaseException as error:
            outcome = (None, error)
        threads_at_work.discard(threading.current_thread())
        loop.call_soon_threadsafe(settle, outcome)
    thread = threading.Thread(target=work, daemon=True)
    threads_at_work.add(thread)
    thread.start()
    answer, error = await future
    if error is not None:
        raise error
    return answer

async def invoke(function, event):
    answer = function(event) if is_async(function) else await in_thread(function, event)
    return await answer if inspect.isawaitable(answer) else answer

async def serve(number, request):
    current.set(Call(number))
    function, problem = resolve(request["handler"])
    if problem is not None:
        return send({"id": number, "missing": problem})
    if request["do"] == "check":
        return send({"id": number, "result": None})
    send({"id": number, "begun": True, "async": is_async(function)})
    try:
        answer = plain(await invoke(function, make_event(request["event"])))
        text = as_json(answer)
        if len(text) > ${MAX_TEXT}:
            return send({"id": number, "huge": len(text)})
        send({"id": number, "result": answer})
    except asyncio.CancelledError:
        # A function in a thread goes on, and so do threads that a handler has started.
        clean = is_async(function) and threading.active_count() - len(threads_at_work) <= 2
        send({"id": number, "cancelled": True, "clean": clean})
    except Unusable as error:
        send({"id": number, "raised": str(error)})
    except BaseException as error:
        traceback.print_exc()
        send({"id": number, "raised": describe(error)})

def receive(message):
    number = message["id"]
    if message["do"] == "cancel":
        task = tasks.get(number)
        if task is not None:
            task.cancel()
        return
    task = asyncio.ensure_future(serve(number, message))
    tasks[number] = task
    task.add_done_callback(functools.partial(finish, number))

def finish(number, task):
    tasks.pop(number, None)
    if task.cancelled():
        send({"id": number, "cancelled": True, "clean": True})

def read(loop):
    for line in requests:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            # Its number comes first, so that it can be answered anyway.
            number = int(line[len(b'{"id":'):line.index(b",")])
            send({"id": number, "raised": "its input cannot be read in Python: " + str(error)})
        else:
            loop.call_soon_threadsafe(receive, message)
    leave()

async def main():
    folder, *paths = sys.argv[1:]
    os.chdir(folder)
    sys.path[:0] = paths
    sys.argv = [""]
    threading.Thread(target=read, args=(asyncio.get_running_loop(),), daemon=True).start()
    send({"ready": sys.version.split()[0]})
    await asyncio.get_running_loop().create_future()

asyncio.run(main())
`;
