/**
 * Tells whether NFKC would turn a character into a part of a number that it is not: `5⁹⁹` is not
 * 599, `5½` not 51 and a half, `5ᵏ` not 5k. Digits of other widths and fonts keep their value.
 */
const isRaised = (character: string): boolean => {
  if (/[\p{Nd}\p{Script=Han}\uff00-\uffef]/u.test(character)) return false
  const folded = character.normalize("NFKC")
  if (folded === character) return false
  const isLetter = /[\p{Lm}\p{So}]/u.test(character) && /^\p{L}$/u.test(folded)
  return isLetter || /\p{N}/u.test(character) || /\d/.test(folded)
}

const CANDIDATE = /[\p{No}\p{Nl}\p{Lm}\p{So}]/u

/**
 * Normalizes a text (NFKC), but leaves raised, lowered, circled and other such digits and letters,
 * and fractions, as they are: nothing reads them as a part of a number.
 */
export const normal = (text: string): string => {
  if (!CANDIDATE.test(text)) return text.normalize("NFKC")
  let [done, run] = ["", ""]
  for (const character of text) {
    if (isRaised(character)) {
      done += run.normalize("NFKC") + character
      run = ""
    } else run += character
  }
  return done + run.normalize("NFKC")
}

/** Tells whether a text has characters that {@link normal} leaves as they are. */
export const hasRaised = (text: string): boolean => CANDIDATE.test(text) && [...text].some(isRaised)
