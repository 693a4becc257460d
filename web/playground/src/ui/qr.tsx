// QR codes of short texts: bytes, level L, one block, the first mask, as ISO/IEC 18004 has them.

/** Of each version from 1 on: how many bytes are data, and how many correct errors. */
const versions: readonly (readonly [data: number, correction: number])[] = [[19, 7], [34, 10], [55, 15], [80, 20], [108, 26]];

/** The format of level L and mask 0, with its own correction. */
const format = 0x77c4;

const multiply = (a: number, b: number): number => {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  return product;
};

// The remainder of a division by the polynomial that has the first powers of two as its roots.
function corrections(data: readonly number[], count: number): number[] {
  let divisor = [...Array<number>(count - 1).fill(0), 1];
  for (let i = 0, root = 1; i < count; i++, root = multiply(root, 2))
    divisor = divisor.map((factor, j) => multiply(factor, root) ^ (divisor[j + 1] ?? 0));
  return data.reduce((rest, byte) => {
    const factor = byte ^ rest[0]!;
    return [...rest.slice(1), 0].map((value, i) => value ^ multiply(divisor[i]!, factor));
  }, Array<number>(count).fill(0));
}

function bytesOf(text: string, [room, count]: readonly [number, number]): number[] {
  const bytes = new TextEncoder().encode(text);
  const bits = [4, bytes.length >> 4, bytes.length & 15, ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const data = Array.from({ length: bits.length / 2 }, (_, i) => (bits[2 * i]! << 4) | bits[2 * i + 1]!);
  while (data.length < room) data.push((data.length - bits.length / 2) % 2 ? 0x11 : 0xec);
  return [...data, ...corrections(data, count)];
}

/** The modules of the code of a text, row by row; nothing for a text that is too long. */
export function modulesOf(text: string): boolean[][] | undefined {
  const version = versions.findIndex(([room]) => new TextEncoder().encode(text).length <= room - 2) + 1;
  if (version === 0) return undefined;
  const size = 17 + 4 * version;
  const fixed = Array.from({ length: size }, () => Array<boolean | undefined>(size).fill(undefined));
  const set = (x: number, y: number, dark: boolean): void => {
    if (fixed[y] && x >= 0 && x < size) fixed[y][x] = dark;
  };
  const square = (cx: number, cy: number, reach: number, light: readonly number[]): void => {
    for (let y = -reach; y <= reach; y++)
      for (let x = -reach; x <= reach; x++) set(cx + x, cy + y, !light.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let i = 0; i < size; i++) for (const [x, y] of [[6, i], [i, 6]] as const) set(x, y, i % 2 === 0);
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) square(x, y, 4, [2, 4]);
  if (version > 1) square(size - 7, size - 7, 2, [1]);
  for (let i = 0; i < 15; i++) {
    const dark = ((format >> i) & 1) === 1;
    set(i < 8 ? 8 : i < 9 ? 7 : 14 - i, i < 6 ? i : i < 8 ? i + 1 : 8, dark);
    set(i < 8 ? size - 1 - i : 8, i < 8 ? 8 : size - 15 + i, dark);
  }
  set(8, size - 8, true);
  const bytes = bytesOf(text, versions[version - 1]!);
  const all = fixed.map((row) => row.map((dark) => dark ?? false));
  let n = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2)
    for (let step = 0; step < 2 * size; step++) {
      const x = right - (step % 2);
      const y = (right + 1) & 2 ? step >> 1 : size - 1 - (step >> 1);
      if (fixed[y]![x] !== undefined) continue;
      const dark = (((bytes[n >> 3] ?? 0) >> (7 - (n & 7))) & 1) === 1;
      all[y]![x] = dark !== ((x + y) % 2 === 0);
      n++;
    }
  return all;
}

/** The code of a text, with the margin that readers need. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const modules = modulesOf(text);
  if (!modules) return null;
  const size = modules.length + 8;
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
