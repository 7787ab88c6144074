const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Text as HTML shows it. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "")

/** A number with its thousands apart. */
export const grouped = (count: number): string => count.toLocaleString("en-US")

/** A stretch of time, for people. */
export const stretch = (millis: number): string => {
  if (millis < 1_000) return `${Math.round(millis)} ms`
  if (millis < 60_000) return `${trimmed(millis / 1_000)} s`
  if (millis < 3_600_000) return `${trimmed(millis / 60_000)} min`
  if (millis < 86_400_000) return `${trimmed(millis / 3_600_000)} h`
  return `${trimmed(millis / 86_400_000)} d`
}

const trimmed = (value: number): string => value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, "")
