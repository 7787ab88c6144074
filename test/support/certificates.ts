import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

/** A TLS server's certificate and key, as PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

/** An authority, or a server that it vouches for. */
export interface Certificate extends Identity {
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
const time = (at: Date) =>
  der(0x17, Buffer.from(at.toISOString().replace(/^..|[-:T]|\..*/g, "") + "Z"))
const nameOf = (name: string) =>
  sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))))

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"))
const AUTHORITY = sequence(oid("551d13"), yes, der(0x04, sequence(yes)))
const forHosts = (names: ReadonlyArray<string>) =>
  sequence(oid("551d11"), der(0x04, sequence(...names.map((name) => der(0x82, Buffer.from(name))))))

const pem = (bytes: Buffer): string => {
  const lines = bytes.toString("base64").replaceAll(/.{64}/g, "$&\n").trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

interface Content {
  readonly by?: Certificate["signer"] | undefined
  readonly from: Date
  readonly to: Date
  readonly extension: Buffer
}

/** Node can read certificates and not make them. */
const make = (name: string, { by, extension, from, to }: Content): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const signer = by ?? { name, key: privateKey }
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(signer.name),
    sequence(time(from), time(to)),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  )
  const bits = der(0x03, Buffer.from([0]), sign("sha256", content, signer.key))
  return {
    cert: pem(sequence(content, ECDSA_WITH_SHA256, bits)),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    signer: { name, key: privateKey },
  }
}

/** A certificate, good until 2049: an authority's own, or one that it signs for hosts. */
export const makeCertificate = (
  name: string,
  by?: { readonly authority: Certificate; readonly hosts: ReadonlyArray<string> },
): Certificate =>
  make(name, {
    by: by?.authority.signer,
    from: new Date("2020-01-01"),
    to: new Date("2049-01-01"),
    extension: by === undefined ? AUTHORITY : forHosts(by.hosts),
  })

/** A certificate for a DNS name that signs itself, valid for an hour about `at`. */
export const selfSigned = (name: string, at = new Date()): Identity => {
  const half = 30 * 60_000
  const [from, to] = [-half, half].map((offset) => new Date(at.getTime() + offset))
  return make(name, { from: from ?? at, to: to ?? at, extension: forHosts([name]) })
}
