const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const UNSEEN = /(?!\u200d|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Turns a seller's text into one line of visible characters. Removes control, bidirectional and
 * other invisible characters, which people and models read differently. A text of more than `max`
 * characters (code points) is cut, with an ellipsis.
 */
export const safeLine = (text: string, max: number): string => {
  const line = text.replace(BREAKS, " ").replace(UNSEEN, "").replace(/\s+/g, " ").trim()
  const characters = [...line]
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join("")}…`
}

/** Characters that look like the quotation marks around a text. */
const LOOK_ALIKES = /[\u02ba\u02dd\u02ee\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/g

/** Does the same for a field of an answer, and replaces characters that look like JSON's quotes. */
export const saidLine = (text: string, max: number): string =>
  safeLine(text, max).replace(LOOK_ALIKES, '"')

/** Does the same and quotes the text, so that the text cannot end the quotation. */
export const quoted = (text: string, max: number): string => JSON.stringify(saidLine(text, max))
