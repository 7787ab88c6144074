/** Quotes an argument for POSIX shells, if it needs quotes. */
export const shellArgument = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
