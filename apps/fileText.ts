const utf8 = new TextDecoder("utf-8", { fatal: true })

/**
 * Returns the text of a file that people write, without the byte order mark that some editors put
 * first. Throws an error with a `code` if it is in another encoding than UTF-8.
 */
export const fileText = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    const wrong = new Error("it is no text in UTF-8. Save it in that encoding.", { cause: error })
    throw Object.assign(wrong, { code: "not UTF-8" })
  }
}
