/** Milliseconds from nothing to the first performed action, and the same with the lite bundle. */
export const actions = () => firstPerform("/br/standard/index.js");
export const lite = () => firstPerform("/br/index.js");

async function firstPerform(module) {
  const start = performance.now();
  const { loadActions } = await import(module);
  const actions = await loadActions();
  let ran = false;
  actions.register("a", () => void (ran = true));
  await actions.perform("A", { n: 1 });
  if (!ran) throw new Error("it was not performed");
  return performance.now() - start;
}

/** Milliseconds from nothing to the first row of sql.js. */
export async function sql() {
  const start = performance.now();
  await new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: "/br/sql-wasm.js", onload: resolve, onerror: reject });
    document.head.append(script);
  });
  const SQL = await window.initSqlJs({ locateFile: (name) => "/br/" + name });
  const database = new SQL.Database();
  const [{ values }] = database.exec("SELECT 1");
  if (values[0][0] !== 1) throw new Error("no row");
  return performance.now() - start;
}

/** Milliseconds from nothing to the first function of a program in Go that does nothing else: no program of this toolchain is there sooner. */
export async function floor() {
  const start = performance.now();
  await new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement("script"), { src: "/br/wasm_exec.js", onload: resolve, onerror: reject }));
  });
  const go = new window.Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch("/br/floor.wasm"), go.importObject);
  void go.run(instance);
  window.f();
  return performance.now() - start;
}
