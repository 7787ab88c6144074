/** Makes a pattern from several lines. Line ends and indentation are removed. */
export const pattern =
  (flags: string) =>
  (text: TemplateStringsArray, ...inner: ReadonlyArray<string>): RegExp =>
    new RegExp(String.raw(text, ...inner).replaceAll(/\n\s*/g, ""), flags)
