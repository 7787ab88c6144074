const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" })
const SHORT = new Intl.DateTimeFormat("en-GB", {
  day: "2-digit",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
})
const FULL = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
})

const dated = (format: Intl.DateTimeFormat, iso: string | null | undefined): string =>
  iso === null || iso === undefined ? "–" : format.format(new Date(iso))

/** `31 Jan 2026`, `31 Jan, 08:00` and `31 Jan 2026, 08:00:00`, in the reader's own time. */
export const day = (iso: string | null | undefined): string => dated(DAY, iso)
export const short = (iso: string | null | undefined): string => dated(SHORT, iso)
export const full = (iso: string | null | undefined): string => dated(FULL, iso)

/** Returns the time of day, such as `08:00:00.123`. */
export const clock = (iso: string): string => {
  const at = new Date(iso)
  const two = (n: number) => String(n).padStart(2, "0")
  const millis = String(at.getMilliseconds()).padStart(3, "0")
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${millis}`
}

/** Formats how much later one moment was than another: `+1.2 s`. */
export const later = (from: string, to: string): string => {
  const ms = Date.parse(to) - Date.parse(from)
  if (ms < 1_000) return `+${ms} ms`
  if (ms < 60_000) return `+${(ms / 1_000).toFixed(1)} s`
  if (ms < 3_600_000)
    return `+${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`
  return ms < 86_400_000
    ? `+${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`
    : `+${Math.floor(ms / 86_400_000)} d ${Math.floor((ms % 86_400_000) / 3_600_000)} h`
}

/** Shortens an id, still distinguishable from its neighbours: `pi_…7c21`. */
export const brief = (id: string): string => {
  const at = id.indexOf("_")
  return id.length <= 16 ? id : `${at < 0 ? "" : id.slice(0, at + 1)}…${id.slice(-8)}`
}

/** `QR generated` of `qr_generated`. */
export const sentence = (word: string): string => {
  const text = word
    .replaceAll(/[_.]/g, " ")
    .replace(/\b(qr|kyc|api|url)\b/g, (initials) => initials.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `3 payments`. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString("en")} ${n === 1 ? one : many}`

/** Returns all words of a type, in this order; a missing one does not compile. */
export const everyOne = <Word extends string>(
  words: Readonly<Record<Word, true>>,
): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  for (const word in words) found.push(word)
  return found
}
