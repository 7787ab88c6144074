import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

/** A certificate with its key, as PEM. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
  readonly signer: { readonly name: string; readonly key: KeyObject }
}

const der = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const sequence = (...parts: ReadonlyArray<Buffer>) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const yes = der(0x01, Buffer.from([0xff]))
const time = (year: number) => der(0x17, Buffer.from(`${year}0101000000Z`))
const nameOf = (name: string) =>
  sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))))

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"))
const AUTHORITY = sequence(oid("551d13"), yes, der(0x04, sequence(yes)))
const hosts = (names: ReadonlyArray<string>) =>
  sequence(oid("551d11"), der(0x04, sequence(...names.map((name) => der(0x82, Buffer.from(name))))))

const pem = (bytes: Buffer): string => {
  const lines = bytes.toString("base64").replaceAll(/.{64}/g, "$&\n").trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

/**
 * Makes a certificate, good from 2020 to 2049: an authority's own, or one that an authority signs
 * for hosts. Node can read certificates and not make them.
 */
export const makeCertificate = (
  name: string,
  by?: { readonly authority: Certificate; readonly hosts: ReadonlyArray<string> },
): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const signer = by?.authority.signer ?? { name, key: privateKey }
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(signer.name),
    sequence(time(20), time(49)),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(by === undefined ? AUTHORITY : hosts(by.hosts))),
  )
  const signature = sign("sha256", content, signer.key)
  const bits = der(0x03, Buffer.from([0]), signature)
  return {
    certificate: pem(sequence(content, ECDSA_WITH_SHA256, bits)),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    signer: { name, key: privateKey },
  }
}
