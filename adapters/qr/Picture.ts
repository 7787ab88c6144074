import sharp, { type Sharp } from "sharp"
import { DECODE_WITHIN, MOST_PIXELS } from "./limits.ts"

/** The loaders of the four formats. All other loaders of the library are blocked. */
const LOADERS = [
  "VipsForeignLoadPng",
  "VipsForeignLoadJpeg",
  "VipsForeignLoadWebp",
  "VipsForeignLoadNsgif",
]

sharp.block({ operation: ["VipsForeignLoad"] })
sharp.unblock({ operation: LOADERS })
sharp.cache(false)
sharp.concurrency(1)

/** A grey picture, one byte per pixel. */
export interface Picture {
  readonly pixels: Buffer
  readonly width: number
  readonly height: number
}

type Steps = (image: Sharp) => Sharp

const finish = async (image: Sharp): Promise<Picture> => {
  const { data, info } = await image
    .timeout({ seconds: DECODE_WITHIN })
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true })
  return { pixels: data, width: info.width, height: info.height }
}

/** Reads only the first picture of an animation, and of damaged images the readable part. */
const open = (bytes: Buffer) =>
  sharp(bytes, { failOn: "none", limitInputPixels: MOST_PIXELS, sequentialRead: true, pages: 1 })

/** Reads the size of an image from its head, before any pixels are decoded. */
export const sizeOf = async (
  bytes: Buffer,
): Promise<{ readonly width: number; readonly height: number; readonly hasAlpha: boolean }> => {
  const { width, height, hasAlpha } = await sharp(bytes, {
    failOn: "none",
    limitInputPixels: false,
    pages: 1,
  }).metadata()
  return { width, height, hasAlpha }
}

/** Returns the image in grey on a background, with no side longer than `side` pixels. */
export const decode = (bytes: Buffer, side: number, background: string): Promise<Picture> =>
  finish(
    open(bytes)
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .flatten({ background })
      .toColourspace("b-w"),
  )

/** Returns the picture after some steps. */
export const changed = ({ pixels, width, height }: Picture, steps: Steps): Promise<Picture> =>
  finish(steps(sharp(pixels, { raw: { width, height, channels: 1 } })).toColourspace("b-w"))

/** Returns the picture with four bytes per pixel, as code readers need it. */
export const rgba = ({ pixels, width, height }: Picture) => {
  const data = new Uint8ClampedArray(width * height * 4)
  const words = new Uint32Array(data.buffer)
  for (let i = 0; i < words.length; i++) words[i] = 0xff000000 | ((pixels[i] ?? 0) * 0x010101)
  return { data, width, height, colorSpace: "srgb" as const }
}
