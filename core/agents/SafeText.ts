const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const UNSEEN = /(?!\u200d|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Text of a seller as a line of visible characters: controls part words, and bidirectional and
 * other invisible characters are left out, since they show one thing to people and another to
 * models. Beyond `max` characters (code points) the text is cut, with an ellipsis.
 */
export const safeLine = (text: string, max: number): string => {
  const line = text.replace(BREAKS, " ").replace(UNSEEN, "").replace(/\s+/g, " ").trim()
  const characters = [...line]
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join("")}…`
}

/** What looks like the quotation marks that a text stands in. */
const LOOK_ALIKES = /[\u02ba\u02dd\u02ee\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/g

/** The same for a field of an answer: it holds no marks that look like those of JSON. */
export const saidLine = (text: string, max: number): string =>
  safeLine(text, max).replace(LOOK_ALIKES, '"')

/** The same between quotation marks, which it cannot end, neither for a parser nor by looks. */
export const quoted = (text: string, max: number): string => JSON.stringify(saidLine(text, max))
