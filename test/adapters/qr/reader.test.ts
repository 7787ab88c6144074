import { Effect, Exit, Layer, Scope } from "effect"
import * as Context from "effect/Context"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { crc32, deflateSync } from "node:zlib"
import QRCode from "qrcode"
import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { formatOf } from "../../../adapters/qr/openImage.ts"
import { layer } from "../../../adapters/qr/reader.ts"
import {
  type Outcome,
  ReaderProcess,
  type ProcessLimits,
} from "../../../adapters/qr/ReaderProcess.ts"
import { QrReader } from "../../../core/ports/QrReader.ts"
import { isFailure } from "../../../core/shared/Failure.ts"
import { hardImages, scene } from "./corpus.ts"

/** Long limits, so that the results do not depend on other load. */
const PATIENT = { startWithin: 60_000, readWithin: 20_000, waitWithin: 60_000 }

const scope = Scope.makeUnsafe()
let reader: Context.Service.Shape<typeof QrReader>

beforeAll(async () => {
  const context = await Effect.runPromise(Layer.buildWithScope(layer(PATIENT), scope))
  reader = Context.get(context, QrReader)
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** The codes of an image, or the code that it is refused with. */
const read = async (image: Buffer | string) => {
  const base64 = typeof image === "string" ? image : image.toString("base64")
  const exit = await Effect.runPromiseExit(reader.read(base64, "acct_a"))
  if (Exit.isSuccess(exit)) return exit.value
  const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
  if (!isFailure(failure)) throw new Error(`not a Failure: ${String(exit.cause)}`)
  return failure.code
}

const TEXT = "svc://service/01997d3e-8a00-7000-8000-000000000010?channel=wallet_a"
const code = (text = TEXT, width = 300) => QRCode.toBuffer(text, { type: "png", width })

describe("the four formats", () => {
  it.each(["png", "jpeg", "webp", "gif"] as const)("%s", async (format) => {
    const image = await sharp(await code())
      .toFormat(format)
      .toBuffer()
    expect(formatOf(image)).toBe(format)
    expect(await read(image)).toMatchObject({ format, codes: [{ text: TEXT }] })
  })

  it("with an alpha channel, 16 bits, CMYK, or a palette", async () => {
    const png = await code()
    const clear = await QRCode.toBuffer(TEXT, { width: 300, color: { light: "#ffffff00" } })
    const white = await QRCode.toBuffer(TEXT, {
      width: 300,
      color: { dark: "#ffffffff", light: "#ffffff00" },
    })
    const images = [
      clear,
      white,
      await sharp(png).toColourspace("rgb16").png().toBuffer(),
      await sharp(png).toColourspace("cmyk").jpeg().toBuffer(),
      await sharp(png).png({ palette: true, progressive: true }).toBuffer(),
    ]
    for (const image of images) expect(await read(image)).toMatchObject({ codes: [{ text: TEXT }] })
  })

  it.each(["gif", "webp"] as const)("the first picture of an animated %s", async (format) => {
    const frames = [await code("first"), await code("second")]
    const animated = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer()
    expect(await read(animated)).toMatchObject({ codes: [{ text: "first" }] })
  })

  it("base64 of either alphabet, with line breaks and without its end", async () => {
    const base64 = (await code()).toString("base64")
    const forms = [
      base64.replaceAll("+", "-").replaceAll("/", "_"),
      base64.replaceAll(/(.{76})/g, "$1\r\n"),
      base64.replaceAll("=", ""),
    ]
    for (const form of forms) expect(await read(form)).toMatchObject({ codes: [{ text: TEXT }] })
  })

  it("all codes, from top to bottom, also two equal ones", async () => {
    const texts = ["one", "two", "two", "https://example.com/four"]
    const codes = await Promise.all(texts.map((text) => code(text, 260)))
    const image = await sharp({
      create: { width: 800, height: 800, channels: 3, background: "#ffffff" },
    })
      .composite(
        codes.map((input, n) => ({ input, left: 60 + 400 * (n % 2), top: n < 2 ? 60 : 460 })),
      )
      .png()
      .toBuffer()
    const found = await read(image)
    expect(typeof found === "string" ? found : found.codes.map(({ text }) => text)).toEqual(texts)
  })
})

const SVG =
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">` +
  `<image href="file:///etc/passwd"/></svg>`
const TIFF = Buffer.from("49492a0008000000000000000000", "hex")

describe("what is no image", () => {
  it.each<[name: string, make: () => Promise<Buffer | string>, refusal: string]>([
    ["not base64", async () => "!!!", "INVALID_IMAGE"],
    ["base64 of nothing", async () => "====", "INVALID_IMAGE"],
    ["a text", async () => Buffer.from("just a text that is long enough"), "INVALID_IMAGE"],
    ["an SVG", async () => Buffer.from(SVG), "INVALID_IMAGE"],
    [
      "an SVG behind a BOM",
      async () => Buffer.from(`\ufeff<?xml version="1.0"?>${SVG}`),
      "INVALID_IMAGE",
    ],
    ["a TIFF", async () => TIFF, "INVALID_IMAGE"],
    ["a PDF", async () => Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj<<>>endobj"), "INVALID_IMAGE"],
    [
      "an HEIF",
      async () => Buffer.from("0000001c66747970686569630000000068656963", "hex"),
      "INVALID_IMAGE",
    ],
    [
      "a PNG's beginning and an SVG",
      async () => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from(SVG)]),
      "INVALID_IMAGE",
    ],
    [
      "a GIF's beginning and a script",
      async () => Buffer.from("GIF89a/*......*/=alert(1)//;"),
      "INVALID_IMAGE",
    ],
    ["a PNG cut off within its head", async () => (await code()).subarray(0, 20), "INVALID_IMAGE"],
    [
      "a JPEG of noise",
      async () => Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.alloc(4096, 0xa5)]),
      "INVALID_IMAGE",
    ],
    [
      "more than 8 MiB",
      async () => Buffer.concat([await code(), Buffer.alloc(8 * 1024 * 1024)]),
      "PAYLOAD_TOO_LARGE",
    ],
  ])("%s: %s", async (_name, make, refusal) => {
    expect(await read(await make())).toBe(refusal)
  })

  it("a polyglot is what its first bytes say, and nothing else of it is looked at", async () => {
    const image = Buffer.concat([
      await code(),
      Buffer.from(`PK\u0003\u0004${SVG}<script>1</script>`),
    ])
    expect(await read(image)).toMatchObject({ format: "png", codes: [{ text: TEXT }] })
  })
})

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#ffffff" }, limitInputPixels: false })

/** The chunk of a PNG. */
const chunk = (type: string, data: Buffer) => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A black PNG of a bit a pixel: drawing as many in colour takes as long as reading them. */
const blank = (width: number, height: number) => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const lines = Buffer.alloc((1 + Math.ceil(width / 8)) * height)
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

/** A decoder that is not stopped takes much longer; a busy machine does not take as long. */
const AT_MOST = 15_000

describe("images that cost much", () => {
  it("a bomb is refused by its head", async () => {
    const bomb = blank(12_000, 12_000)
    expect(bomb.length).toBeLessThan(1_000_000)
    expect(await read(bomb)).toBe("PAYLOAD_TOO_LARGE")
  })

  it("a picture with a line of 40 million pixels is refused by its head", async () => {
    const line = await flat(20_001, 1).png().toBuffer()
    line.writeUInt32BE(40_000_000, 16)
    expect(await read(line)).toBe("PAYLOAD_TOO_LARGE")
    expect(await read(await flat(1, 20_001).png().toBuffer())).toBe("PAYLOAD_TOO_LARGE")
    expect(await read(await flat(20_000, 1).png().toBuffer())).toMatchObject({ codes: [] })
  })

  it("a head that lies about the size costs no more than another", async () => {
    const image = await code()
    image.writeUInt32BE(5_000, 16)
    image.writeUInt32BE(5_000, 20)
    const began = performance.now()
    const found = await read(image)
    expect(typeof found === "string" ? found : found.codes).toEqual([])
    expect(performance.now() - began).toBeLessThan(AT_MOST)
  })

  it("a photo of 6 megapixels and a plain one of 39 have no codes", async () => {
    const photo = await (await scene(3000, 2000, 5)).jpeg({ quality: 90 }).toBuffer()
    const plain = await flat(6_500, 6_000)
      .png({ compressionLevel: 1, progressive: true })
      .toBuffer()
    const began = performance.now()
    expect(await read(photo)).toMatchObject({ codes: [] })
    const between = performance.now()
    expect(between - began).toBeLessThan(AT_MOST)
    // A slow machine gives the large one up while it decodes.
    const found = await read(plain)
    expect(typeof found === "string" ? [found] : found.codes).toEqual(
      typeof found === "string" ? ["INVALID_IMAGE"] : [],
    )
    expect(performance.now() - between).toBeLessThan(AT_MOST)
  })
})

const LIMITS: ProcessLimits = {
  startWithin: 20_000,
  readWithin: 20_000,
  waitWithin: 20_000,
  idleFor: 20_000,
  mostWaiting: 2,
  mostOfOne: 2,
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe("the process", () => {
  const ask = (reading: ReaderProcess, image: string, account = "acct_a") =>
    new Promise<Outcome>((resolve) => void reading.read(image, account, resolve))

  it("is started by the first image and ended when there is nothing to do", async () => {
    const reading = new ReaderProcess({ ...LIMITS, idleFor: 50 })
    expect(reading.isRunning).toBe(false)
    const image = (await code()).toString("base64")
    expect((await ask(reading, image)).type).toBe("read")
    expect(reading.isRunning).toBe(true)
    await until(() => !reading.isRunning)
    expect((await ask(reading, image)).type).toBe("read")
    await reading.close()
    expect(reading.isRunning).toBe(false)
  })

  it("is ended when an image takes too long, and another reads the next one", async () => {
    const reading = new ReaderProcess({ ...LIMITS, readWithin: 1 })
    const picture = (await scene(2000, 1500, 3)).png({ compressionLevel: 1 })
    const image = (await picture.toBuffer()).toString("base64")
    const outcomes = await Promise.all([ask(reading, image), ask(reading, "!")])
    expect(outcomes[0]?.type).toBe("too_slow")
    expect(["too_slow", "refused"]).toContain(outcomes[1]?.type)
    await reading.close()
  })

  it("takes no more than so many images, and lets none wait for long", async () => {
    const reading = new ReaderProcess({ ...LIMITS, waitWithin: 1 })
    const image = (await code()).toString("base64")
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => ask(reading, image)))
    expect(outcomes.map(({ type }) => type)).toEqual(["busy", "busy", "busy", "busy"])
    await reading.close()
  })

  it("reads the image of another account before the rest of one that sent many", async () => {
    const reading = new ReaderProcess({ ...LIMITS, mostWaiting: 12, mostOfOne: 6 })
    // With a code, each image is read immediately. Without one, all six would be searched to the
    // end.
    const one = (await code("one of many")).toString("base64")
    const order: Array<string> = []
    const send = async (image: string, account: string) => {
      const outcome = await ask(reading, image, account)
      if (outcome.type !== "busy") order.push(account)
      return outcome
    }
    const many = Array.from({ length: 10 }, () => send(one, "acct_a"))
    const other = send((await code()).toString("base64"), "acct_b")
    expect(await other).toMatchObject({ type: "read", image: { codes: [{ text: TEXT }] } })
    expect(order.length).toBeLessThanOrEqual(3)
    const types = (await Promise.all(many)).map(({ type }) => type)
    expect(types.filter((type) => type === "busy")).toHaveLength(4)
    expect(types.filter((type) => type === "read")).toHaveLength(6)
    await reading.close()
  })

  it("gives back the memory that large images took", async () => {
    setFlagsFromString("--expose-gc")
    const collect = runInNewContext("gc") as () => void
    // The code is found immediately, since the test is about the memory of decoding.
    const shown = await sharp(await code())
      .resize(3_000, 3_000, { kernel: "nearest" })
      .png({ compressionLevel: 1 })
      .toBuffer()
    const large = await flat(6_000, 6_000)
      .composite([{ input: shown, left: 1_500, top: 1_500 }])
      .png({ progressive: true, compressionLevel: 1 })
      .toBuffer()
    const image = large.toString("base64")
    const used = async (reading: ReaderProcess) => {
      expect(["read", "refused"]).toContain((await ask(reading, image)).type)
      await reading.close()
      collect()
      return process.memoryUsage.rss() / 1024 ** 2
    }
    const first = await used(new ReaderProcess(LIMITS))
    let last = first
    for (let n = 0; n < 4; n++) last = await used(new ReaderProcess(LIMITS))
    expect(last - first).toBeLessThan(30)
  }, 240_000)

  it("forgets an image whose caller is gone", async () => {
    const reading = new ReaderProcess(LIMITS)
    const outcomes: Array<Outcome> = []
    const giveUp = reading.read("!", "acct_a", (outcome) => outcomes.push(outcome))
    giveUp()
    expect((await ask(reading, "!")).type).toBe("refused")
    expect(outcomes).toEqual([])
    await reading.close()
  })
})

describe("a corpus of hard images", () => {
  it("is read at a rate of 85% at least", async () => {
    const reading = new ReaderProcess({ ...LIMITS, mostWaiting: 1_000, mostOfOne: 1_000 })
    const images = await hardImages()
    const kinds = new Map<string, { all: number; read: number }>()
    for (const image of images) {
      const outcome = await new Promise<Outcome>((resolve) => {
        reading.read(image.bytes.toString("base64"), "acct_a", resolve)
      })
      const texts = outcome.type === "read" ? outcome.image.codes.map(({ text }) => text) : []
      const kind = kinds.get(image.kind) ?? { all: 0, read: 0 }
      kinds.set(image.kind, {
        all: kind.all + 1,
        read: kind.read + (texts.includes(image.text) ? 1 : 0),
      })
      // No other text may be returned.
      expect(texts.filter((text) => text !== image.text)).toEqual([])
    }
    await reading.close()
    const rows = [...kinds].map(([kind, { all, read: ok }]) => `${kind} ${ok}/${all}`)
    const sum = [...kinds.values()].reduce((total, { read: ok }) => total + ok, 0)
    const rate = sum / images.length
    console.log(`read ${(rate * 100).toFixed(1)}% of ${images.length}: ${rows.join(", ")}`)
    expect(rate).toBeGreaterThanOrEqual(0.85)
  }, 300_000)
})
