/** A pattern that is too long for a line, of parts that are its text one after another. */
export const pattern = (flags: string, ...parts: ReadonlyArray<string>): RegExp =>
  new RegExp(parts.join(""), flags)
