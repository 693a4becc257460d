// Reads CSV as RFC 4180 says, but with a separator of choice: rows of cells, one by one, from chunks of text.

export async function* readCSV(chunks, separator) {
  let cells = [];
  let cell = "";
  // Where we are: at the start of a cell, inside a plain or a quoted one, or after a quote in a quoted one.
  let state = "start";
  let line = 1;
  let rowLine = 1;
  for await (const chunk of chunks) {
    for (const character of chunk) {
      if (character === "\n") line++;
      if (state === "quoted") {
        if (character === '"') state = "quote";
        else cell += character;
      } else if (state === "quote" && character === '"') {
        cell += character;
        state = "quoted";
      } else if (state === "start" && character === '"') {
        state = "quoted";
      } else if (character === separator || character === "\n") {
        if (character === "\n" && cell.endsWith("\r") && state !== "quote") cell = cell.slice(0, -1);
        cells.push(cell);
        cell = "";
        state = "start";
        if (character === "\n") {
          yield { line: rowLine, cells };
          cells = [];
          rowLine = line;
        }
      } else if (state === "quote" && character !== "\r") {
        throw new Error(`line ${line}: text after the closing quote of a cell`);
      } else if (state !== "quote") {
        if (character === '"') throw new Error(`line ${line}: a quote inside a cell that is not quoted`);
        cell += character;
        state = "plain";
      }
    }
  }
  if (state === "quoted") throw new Error(`line ${rowLine}: a quoted cell does not end`);
  if (cells.length > 0 || state !== "start") yield { line: rowLine, cells: [...cells, cell] };
}
