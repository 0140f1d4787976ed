// node make_runtime.mjs PACKAGE STAGE SCRIPT: runs the Python SCRIPT inside Pyodide, with STAGE mounted at /stage.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [home, stage, script] = process.argv.slice(2);
try {
  const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`).href);
  const { info } = JSON.parse(readFileSync(`${home}/pyodide-lock.json`, "utf8"));
  const python = await loadPyodide({ lockFileContents: { info, packages: {} } });
  python.FS.mkdirTree("/stage");
  python.FS.mount(python.FS.filesystems.NODEFS, { root: stage }, "/stage");
  python.runPython("import sys; sys.dont_write_bytecode = True");
  python.runPython(readFileSync(script, "utf8"), { filename: script });
} catch (error) {
  console.error(error.message ?? error); // an uncaught one would print the whole engine
  process.exitCode = 1;
}
