import jsQR from "jsqr"

/** The text of the QR code that a picture shows; undefined where it shows none. */
export const readCode = ({ data, height, width }: ImageData): string | undefined =>
  jsQR.default(data, width, height)?.data
