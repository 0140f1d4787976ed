// Python in a worker: the same rules, bots and pages as on the server. It keeps nothing between two requests.
//   in:  {boot: <what /runtime.json says>, count: whether to count bytes}, then {id, request}   out: {progress}, {ready}, {fatal}, {id, answer | failed}

const MAGIC = 0x04034b50; // a file in a zip
let handle = null;

// Every file of a zip that only stores: made by scripts/make_runtime.py, so nothing else can be in it.
function* files(buffer) {
  const view = new DataView(buffer);
  const text = new TextDecoder();
  for (let at = 0; view.getUint32(at, true) === MAGIC; ) {
    const size = view.getUint32(at + 18, true);
    const name = at + 30;
    const start = name + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    yield [text.decode(new Uint8Array(buffer, name, view.getUint16(at + 26, true))), new Uint8Array(buffer, start, size)];
    at = start + size;
  }
}

function unpack(python, buffer) {
  const made = new Set();
  for (const [name, data] of files(buffer)) {
    const path = `/app/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) {
      python.FS.mkdirTree(folder);
      made.add(folder);
    }
    python.FS.writeFile(path, data);
  }
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${address}`);
  return answer.arrayBuffer();
}

// From now on every answer's bytes are counted on their way, for the first boot on a slow line. Not for later ones: a
// counted answer is a new one, for which the browser keeps no compiled code.
function count(total) {
  const plain = self.fetch;
  let got = 0;
  self.fetch = async (...asked) => {
    const answer = await plain(...asked);
    if (!answer.body) return answer;
    const counter = new TransformStream({
      transform(chunk, sink) {
        got += chunk.byteLength;
        postMessage({ progress: 0.8 * Math.min(1, got / total) });
        sink.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(counter), { status: answer.status, headers: answer.headers });
  };
}

export async function boot(where) {
  const app = fetched(where.app);
  app.catch(() => {}); // told when it is waited for
  const { loadPyodide } = await import(`${where.engine}pyodide.mjs`);
  const python = await loadPyodide({
    indexURL: where.engine,
    stdLibURL: where.library,
    lockFileContents: where.lock,
    packageBaseUrl: where.engine,
  });
  postMessage({ progress: 0.9 });
  unpack(python, await app);
  python.runPython("import sys; sys.dont_write_bytecode = True; sys.path.insert(0, '/app')");
  handle = python.pyimport("scorekeeper.device").handle;
  postMessage({ ready: true });
  return python;
}

addEventListener("message", async ({ data }) => {
  if (data.boot) {
    try {
      if (data.count) count(data.boot.bytes);
      await boot(data.boot);
    } catch (error) {
      postMessage({ fatal: String(error) });
    }
    return;
  }
  try {
    postMessage({ id: data.id, answer: handle(data.request) });
  } catch (error) {
    // A mistake in Python leaves the interpreter whole; anything else has broken it.
    const broken = error?.name !== "PythonError";
    postMessage({ id: data.id, failed: String(error), fatal: broken ? String(error) : undefined });
  }
});
