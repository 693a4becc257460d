/** The size of the cache; a power of two. */
const places = 512;

/**
 * A direct-mapped cache of slots by identifier as it was spelled, valid within one generation of the slots. A collision replaces the
 * entry: a miss must cost next to nothing.
 */
export class Spellings {
  private readonly texts: string[] = new Array<string>(places).fill("");
  private readonly slots = new Int32Array(places).fill(-1);
  private generation = 0;

  /** Returns the slot of a spelling, or -1. */
  slotOf(text: string, generation: number): number {
    if (this.generation !== generation) {
      this.generation = generation;
      this.slots.fill(-1);
    }
    const place = placeOf(text);
    return this.texts[place] === text ? this.slots[place]! : -1;
  }

  /** Remembers the slot of a spelling, that was looked for in the same generation. */
  remember(text: string, slot: number): void {
    const place = placeOf(text);
    this.texts[place] = text;
    this.slots[place] = slot;
  }
}

function placeOf(text: string): number {
  const { length } = text;
  if (length === 0) {
    return 0;
  }
  const letters = text.charCodeAt(0) * 5 + text.charCodeAt(length >> 1) * 41 + text.charCodeAt(length - 1) * 113;
  return (letters + length * 19) & (places - 1);
}
