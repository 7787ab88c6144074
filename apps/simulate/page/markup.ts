const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Escapes text for HTML. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "")

/** Formats a number with separators for thousands. */
export const grouped = (count: number): string => count.toLocaleString("en-US")

/** Formats a duration for people. */
export const stretch = (millis: number): string => {
  if (millis < 1_000) return `${Math.round(millis)} ms`
  if (millis < 60_000) return `${trimmed(millis / 1_000)} s`
  if (millis < 3_600_000) return `${trimmed(millis / 60_000)} min`
  if (millis < 86_400_000) return `${trimmed(millis / 3_600_000)} h`
  return `${trimmed(millis / 86_400_000)} d`
}

const trimmed = (value: number): string => value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, "")
