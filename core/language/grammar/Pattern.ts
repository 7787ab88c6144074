/** A pattern that is too long for a line: ends of lines and indentations are no part of it. */
export const pattern =
  (flags: string) =>
  (text: TemplateStringsArray, ...inner: ReadonlyArray<string>): RegExp =>
    new RegExp(String.raw(text, ...inner).replaceAll(/\n\s*/g, ""), flags)
