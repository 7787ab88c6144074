import QRCode from "qrcode"
import sharp, { type Sharp } from "sharp"

/** A difficult image, made by changes of a clean code. */
export interface HardImage {
  readonly kind: string
  readonly name: string
  readonly text: string
  readonly bytes: Buffer
}

/** The same numbers in every run. */
const chance = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Quick compression of images that are not kept. */
const QUICK = { deflateLevel: 1, filterType: 0 } as const

const clean = (text: string, width: number, said: { dark?: string; light?: string } = {}) =>
  QRCode.toBuffer(text, {
    type: "png",
    width,
    margin: 4,
    errorCorrectionLevel: "M",
    rendererOpts: QUICK,
    color: { dark: said.dark ?? "#000000", light: said.light ?? "#ffffff" },
  })

const png = (image: Sharp) => image.png({ compressionLevel: 1 }).toBuffer()

/** Grains of every grey over the whole picture. */
const noise = (width: number, height: number, strength: number, seed: number) => {
  const next = chance(seed)
  const pixels = Buffer.alloc(width * height * 4)
  for (let i = 0; i < pixels.length; i += 4) {
    pixels.fill(next() < 0.5 ? 0 : 255, i, i + 3)
    pixels[i + 3] = Math.floor(next() * strength * 255)
  }
  return png(sharp(pixels, { raw: { width, height, channels: 4 } }))
}

/** A picture of a scene: soft blobs of light and dark, as a photo has them. */
export const scene = async (width: number, height: number, seed: number): Promise<Sharp> => {
  const next = chance(seed)
  const small = Buffer.from(Array.from({ length: 48 * 36 * 3 }, () => Math.floor(next() * 256)))
  const soft = await sharp(small, { raw: { width: 48, height: 36, channels: 3 } })
    .resize(width, height, { fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer()
  return sharp(soft, { raw: { width, height, channels: 3 } })
}

const put = async (width: number, height: number, code: Buffer, left: number, top: number) =>
  (await scene(width, height, left + top)).composite([{ input: code, left, top }])

type Make = (text: string, level: number) => Promise<Buffer>

const KINDS: { readonly [kind: string]: readonly [Make, ReadonlyArray<number>] } = {
  rotated: [
    async (text, degrees) =>
      png(sharp(await clean(text, 400)).rotate(degrees, { background: "#ffffff" })),
    [7, 17, 30, 45, 90, 123, 180, 211, 275, 333],
  ],
  blurred: [
    async (text, sigma) => png(sharp(await clean(text, 400)).blur(sigma)),
    [1, 1.5, 2, 2.5, 3, 3.5, 4],
  ],
  "low contrast": [
    async (text, grey) => {
      const dark = `#${grey.toString(16).padStart(2, "0").repeat(3)}`
      return clean(text, 400, { dark, light: "#909090" })
    },
    [40, 80, 100, 110, 120, 130, 136],
  ],
  inverted: [
    async (text, width) => clean(text, width, { dark: "#ffffff", light: "#000000" }),
    [120, 200, 400, 800],
  ],
  "small in big": [
    async (text, side) => {
      const code = await clean(text, side)
      return (await put(2000, 1500, code, 700 + side, 600)).jpeg({ quality: 85 }).toBuffer()
    },
    [90, 110, 130, 160, 200, 260],
  ],
  noisy: [
    async (text, strength) => {
      const input = await noise(400, 400, strength, Math.round(strength * 100))
      return png(sharp(await clean(text, 400)).composite([{ input }]))
    },
    [0.2, 0.4, 0.6, 0.7, 0.8, 0.9],
  ],
  skewed: [
    async (text, shear) =>
      png(
        sharp(await clean(text, 400)).affine([1, shear, shear / 3, 1], { background: "#ffffff" }),
      ),
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
  ],
  tiny: [async (text, width) => clean(text, width), [41, 60, 82, 100]],
  compressed: [
    async (text, quality) =>
      sharp(await clean(text, 220))
        .jpeg({ quality })
        .toBuffer(),
    [1, 3, 5, 10, 20],
  ],
  shaded: [
    async (text, dark) => {
      const pixels = Buffer.alloc(400 * 4)
      for (let x = 0; x < 400; x++) pixels[x * 4 + 3] = Math.round((x / 400) * dark * 255)
      const raw = { width: 400, height: 1, channels: 4 } as const
      const shade = await png(sharp(pixels, { raw }).resize(400, 400, { fit: "fill" }))
      return png(sharp(await clean(text, 400)).composite([{ input: shade }]))
    },
    [0.5, 0.7, 0.8, 0.9, 0.95],
  ],
  soiled: [
    async (text, size) => {
      const input = await png(
        sharp({ create: { width: size, height: size, channels: 3, background: "#777777" } }),
      )
      return png(sharp(await clean(text, 400)).composite([{ input, left: 190, top: 210 }]))
    },
    [20, 40, 60, 80],
  ],
  photographed: [
    async (text, degrees) => {
      const code = await sharp(await clean(text, 500))
        .rotate(degrees, { background: "#ffffff" })
        .blur(1.6)
        .png({ compressionLevel: 1 })
        .toBuffer()
      return (await put(2000, 1500, code, 500, 300)).jpeg({ quality: 60 }).toBuffer()
    },
    [0, 12, 38, 77, 160, 290],
  ],
}

const TEXTS = [
  "svc://pay/pi_01997d3e-8a00-7000-8000-000000000020?channel=wallet_a",
  "00020101021229370016A000000677010111011300669123456785802TH53037645406100.00630492CB",
]

/** The corpus of hard images, the same in every run. */
export const hardImages = async (): Promise<ReadonlyArray<HardImage>> => {
  const images: Array<HardImage> = []
  for (const [kind, [make, levels]] of Object.entries(KINDS)) {
    for (const [n, level] of levels.entries()) {
      const text = TEXTS[n % TEXTS.length] ?? ""
      images.push({ kind, name: `${kind} ${level}`, text, bytes: await make(text, level) })
    }
  }
  return images
}
