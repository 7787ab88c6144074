import { generateKeyPairSync, sign } from "node:crypto"

/** What a TLS server shows and signs with, as PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

const length = (n: number): Buffer => {
  if (n < 128) return Buffer.from([n])
  return n < 256 ? Buffer.from([0x81, n]) : Buffer.from([0x82, n >> 8, n & 255])
}

/** One element of DER. */
const element = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), length(content.length), content])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>) => element(0x30, ...parts)
const identifier = (hex: string) => element(0x06, Buffer.from(hex, "hex"))
const octets = (part: Uint8Array) => element(0x04, part)

const COMMON_NAME = identifier("550403")
const SUBJECT_ALT_NAME = identifier("551d11")
const ECDSA_WITH_SHA256 = sequence(identifier("2a8648ce3d040302"))

const time = (at: Date): Buffer =>
  element(0x17, Buffer.from(at.toISOString().replace(/^..|[-:T]|\..*/g, "") + "Z"))

/** A certificate for a DNS name that signs itself, valid for an hour about `at`. */
export const selfSigned = (name: string, at = new Date()): Identity => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const subject = sequence(element(0x31, sequence(COMMON_NAME, element(0x0c, Buffer.from(name)))))
  const names = sequence(element(0x82, Buffer.from(name)))
  const half = 30 * 60_000
  const body = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    subject,
    sequence(time(new Date(at.getTime() - half)), time(new Date(at.getTime() + half))),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(sequence(SUBJECT_ALT_NAME, octets(names)))),
  )
  const signature = element(0x03, Buffer.from([0]), sign("sha256", body, privateKey))
  const der = sequence(body, ECDSA_WITH_SHA256, signature).toString("base64")
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}
