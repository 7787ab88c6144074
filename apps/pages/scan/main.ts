import jsQR from "jsqr"

/** Returns the text of the QR code in a picture; undefined if there is none. */
export const readCode = ({ data, height, width }: ImageData): string | undefined =>
  jsQR.default(data, width, height)?.data
