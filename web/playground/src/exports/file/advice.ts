// What to do about the link to a file, by the clock of the server.

/** When the file goes, until when its link works, and the time. */
export interface Ends {
  file: Date | undefined;
  link: Date | undefined;
  now: Date;
}

/** Whether the link works; else whether another one would. */
export const stateOf = ({ file, link, now }: Ends): "works" | "expired" | "gone" =>
  file && now >= file ? "gone" : link && now >= link ? "expired" : "works";
