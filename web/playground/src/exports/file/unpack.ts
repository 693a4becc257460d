// The content of a file that is packed: gzip as it arrives, and the first file of a zip archive.

import type { Container } from "../api/read";

/** The content of an answer. */
export async function contentOf(answer: Response, container: Container): Promise<ReadableStream<Uint8Array>> {
  if (container === "gzip") return unpacked(answer.body!, "gzip");
  if (container === "") return answer.body!;
  const archive = await answer.arrayBuffer();
  const { method, packed } = firstFile(new DataView(archive));
  const content = new Blob([packed]).stream();
  return method === 0 ? content : unpacked(content, "deflate-raw");
}

function unpacked(content: ReadableStream<Uint8Array>, format: CompressionFormat): ReadableStream<Uint8Array> {
  if (!("DecompressionStream" in globalThis)) throw new Error("this browser cannot unpack it: download it");
  return content.pipeThrough(new DecompressionStream(format) as ReadableWritablePair<Uint8Array, Uint8Array>);
}

// The directory stands at the end of an archive (APPNOTE 4.3.12, 4.3.16).
function firstFile(archive: DataView): { method: number; packed: ArrayBuffer } {
  let end = archive.byteLength - 22;
  while (end >= 0 && archive.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error("it is no whole zip archive");
  const entry = archive.getUint32(end + 16, true);
  const at = archive.getUint32(entry + 42, true);
  const from = at + 30 + archive.getUint16(at + 26, true) + archive.getUint16(at + 28, true);
  return { method: archive.getUint16(entry + 10, true), packed: (archive.buffer as ArrayBuffer).slice(from, from + archive.getUint32(entry + 20, true)) };
}
