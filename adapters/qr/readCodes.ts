import jsQR from "jsqr"
import { readFile } from "node:fs/promises"
import { prepareZXingModule, readBarcodes, type ReaderOptions } from "zxing-wasm/reader"
import type { ReadCode } from "../../core/ports/QrReader.ts"
import { changed, decode, type Picture, rgba } from "./Picture.ts"

/** Loads the reader's file from the package. By default the library fetches it from the network. */
export const prepareReader = async (): Promise<void> => {
  const file = new URL(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"))
  const wasmBinary = new Uint8Array(await readFile(file)).buffer
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
}

interface Placed extends ReadCode {
  readonly x: number
  readonly y: number
}

const OPTIONS: ReaderOptions = {
  formats: ["QRCode", "MicroQRCode", "RMQRCode"],
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  maxNumberOfSymbols: 64,
  textMode: "Plain",
}

const byZxing = async (
  picture: Picture,
  options: ReaderOptions = {},
): Promise<ReadonlyArray<Placed>> => {
  const found = await readBarcodes(rgba(picture), { ...OPTIONS, ...options })
  return found
    .filter(({ isValid, text }) => isValid && text !== "")
    .map(({ position, text, version }) => ({
      text,
      version: /^\d+$/.test(version) ? Number(version) : null,
      x: position.topLeft.x / picture.width,
      y: position.topLeft.y / picture.height,
    }))
}

const byJsqr = (picture: Picture): ReadonlyArray<Placed> => {
  const found = jsQR.default(rgba(picture).data, picture.width, picture.height)
  if (found === null || found.data === "") return []
  const { x, y } = found.location.topLeftCorner
  const place = { x: x / picture.width, y: y / picture.height }
  return [{ text: found.data, version: found.version, ...place }]
}

/** A code that two steps have found counts once. Two equal codes side by side count twice. */
const joined = (
  known: ReadonlyArray<Placed>,
  found: ReadonlyArray<Placed>,
): ReadonlyArray<Placed> => [
  ...found,
  ...known.filter((code) => found.every(({ text }) => text !== code.text)),
]

const inOrder = (codes: ReadonlyArray<Placed>): ReadonlyArray<ReadCode> => {
  const row = ({ y }: Placed): number => Math.round(y * 20)
  return codes
    .toSorted((a, b) => row(a) - row(b) || a.x - b.x)
    .map(({ text, version }) => ({ text, version }))
}

/** The longest side of the first try, and of every further one. */
const SMALL = 900
const MIDDLE = 1_600
const LARGE = 2_800

const longest = ({ height, width }: Picture): number => Math.max(width, height)

const scaledTo = (picture: Picture, side: number) => {
  const factor = side / longest(picture)
  const width = Math.max(1, Math.round(picture.width * factor))
  const height = Math.max(1, Math.round(picture.height * factor))
  return changed(picture, (image) => image.resize(width, height, { fit: "fill" }))
}

/** The shortest side of a picture: some steps need a neighbourhood of that size. */
const SHORTEST = 200

/** Extends a very small or narrow picture with white. */
const widened = (picture: Picture): Promise<Picture> | Picture => {
  const right = Math.max(0, SHORTEST - picture.width)
  const bottom = Math.max(0, SHORTEST - picture.height)
  if (right === 0 && bottom === 0) return picture
  return changed(picture, (image) => image.extend({ right, bottom, background: "white" }))
}

type Rung = () => Promise<ReadonlyArray<Placed>>

/** Returns the variants for a picture in which no code was found: background, scale, light. */
const ladder = (bytes: Buffer, base: Picture, hasAlpha: boolean): ReadonlyArray<Rung> => {
  const enlarged = Math.min(MIDDLE, longest(base) * 2)
  const lit = () => changed(base, (image) => image.normalise())
  return [
    // A white code on a transparent background is visible only on black.
    async () => (hasAlpha ? byZxing(await decode(bytes, MIDDLE, "black")) : []),
    async () => (longest(base) < MIDDLE ? [] : byZxing(await decode(bytes, LARGE, "white"))),
    async () => byZxing(await changed(base, (image) => image.median(3).normalise())),
    async () => byZxing(await scaledTo(base, enlarged), { tryDenoise: true }),
    async () => byZxing(await lit(), { binarizer: "GlobalHistogram" }),
    async () => byZxing(await changed(await scaledTo(base, SMALL / 2), (image) => image.blur(1))),
    async () => byZxing(await changed(base, (image) => image.sharpen({ sigma: 2, m1: 3, m2: 3 }))),
    async () =>
      byZxing(await changed(await lit(), (image) => image.clahe({ width: 96, height: 96 }))),
    async () => byZxing(await changed(await lit(), (image) => image.threshold(90))),
    async () => byZxing(await changed(await lit(), (image) => image.threshold(165))),
    async () => byJsqr(await changed(await scaledTo(base, SMALL), (image) => image.median(5))),
  ]
}

/** Options of a search. `decoded` is called once the image is decoded. */
interface Look {
  readonly hasAlpha: boolean
  /** On the clock of `performance.now`, in milliseconds. */
  readonly until: number
  readonly decoded: () => void
}

/**
 * Returns all codes of an image, from top to bottom. Two readers read the plain picture. If both
 * find none, they try other scales and brightnesses, while there is time.
 */
export const readCodes = async (
  bytes: Buffer,
  { decoded, hasAlpha, until }: Look,
): Promise<ReadonlyArray<ReadCode>> => {
  const base = await widened(await decode(bytes, MIDDLE, "white"))
  decoded()
  const small = longest(base) > SMALL ? await scaledTo(base, SMALL) : base
  let found = joined(byJsqr(small), await byZxing(base))
  for (const rung of ladder(bytes, base, hasAlpha)) {
    if (found.length > 0 || performance.now() >= until) break
    found = joined(found, await rung())
  }
  return inOrder(found)
}
