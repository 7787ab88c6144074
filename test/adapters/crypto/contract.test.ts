import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import { vaultContract, type VaultUnderTest } from "../../../apps/payport/testing/vaultContract.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { type Flaws, noticesMutants } from "../../support/mutation.ts"
import { runContract } from "../../support/runContract.ts"

type Service = Vault["Service"]

const MASTER = new Uint8Array(32).fill(7)
const OTHER = new Uint8Array(32).fill(8)

const vaults = (change = (sound: Service) => sound): VaultUnderTest => ({
  open: () => Layer.sync(Vault, () => change(makeVault(MASTER))),
  openOther: () => Layer.sync(Vault, () => change(makeVault(OTHER))),
})

runContract("the vault", vaultContract(vaults()))

const same = makeVault(MASTER)

const flaws: Flaws<Service> = {
  seal: {
    "binds to no place": (sound) => ({
      seal: (_, text) => sound.seal("", text),
      open: (_, sealed) => sound.open("", sealed),
    }),
    "seals alike what is alike": (sound) => {
      const sealed = new Map<string, string>()
      return {
        seal: (place, text) => {
          const known = sealed.get(place + text) ?? sound.seal(place, text)
          sealed.set(place + text, known)
          return known
        },
      }
    },
    "only writes otherwise": (sound) => ({
      seal: (place, text) => `v2.AAAAAAAA.${Buffer.from(`${place} ${text}`).toString("base64url")}`,
      open: (place, sealed) => {
        const written = Buffer.from(sealed.slice(12), "base64url").toString("utf8")
        return written.startsWith(`${place} `)
          ? Effect.succeed(written.slice(place.length + 1))
          : sound.open(place, sealed)
      },
    }),
    "has a key for each process": () => {
      const own = makeVault(randomBytes(32))
      return { seal: own.seal, open: own.open }
    },
    "has one key for all installations": () => ({ seal: same.seal, open: same.open }),
    "loses what is not ASCII": (sound) => ({
      seal: (place, text) => sound.seal(place, text.replaceAll(/[^ -~]/g, "?")),
    }),
  },
  open: {
    "dies of what does not open": (sound) => ({
      open: (place, sealed) => Effect.orDie(sound.open(place, sealed)),
    }),
    "opens everything": (sound) => ({
      open: (place, sealed) => Effect.catch(sound.open(place, sealed), () => Effect.succeed("")),
    }),
  },
  keyOf: {
    "names the text": () => ({ keyOf: (sealed) => sealed }),
    "names nothing": () => ({ keyOf: () => undefined }),
    "names one key for everything": () => ({ keyOf: () => "key" }),
    "takes anything for sealed": (sound) => ({ keyOf: (sealed) => sound.keyOf(sealed) ?? "none" }),
  },
  sha256: {
    shouts: (sound) => ({ sha256: (content) => sound.sha256(content).toUpperCase() }),
    "is keyed": (sound) => ({ sha256: (content) => sound.hmac("key", content) }),
    "takes bytes for text": (sound) => ({ sha256: (content) => sound.sha256(String(content)) }),
  },
  fingerprint: {
    "has no key": (sound) => ({ fingerprint: (text) => sound.sha256(text) }),
    "has one key for all": (sound) => ({ fingerprint: (text) => sound.hmac("key", text) }),
    "has a key for each process": (sound) => {
      const key = randomBytes(8).toString("hex")
      return { fingerprint: (text) => sound.hmac(key, text) }
    },
    "looks at the beginning": (sound) => ({
      fingerprint: (text) => sound.fingerprint(text.slice(0, 1)),
    }),
  },
  hmac: {
    "has one key": (sound) => ({ hmac: (_, message) => sound.hmac("key", message) }),
    "takes bytes for text": (sound) => ({
      hmac: (secret, message) => sound.hmac(secret, String(message)),
    }),
    "signs nothing": (sound) => ({ hmac: (secret) => sound.hmac(secret, "") }),
  },
  sign: {
    "signs something else": (sound) => ({ sign: (text) => sound.sign(`${text}.`) }),
    "signs with another key": () => ({ sign: makeVault(OTHER).sign }),
  },
  isSigned: {
    "believes everything": () => ({ isSigned: () => true }),
    "believes nothing": () => ({ isSigned: () => false }),
    "believes what is signed by whomever": (sound) => ({
      isSigned: (text, signature) =>
        [MASTER, OTHER].some((key) => makeVault(key).isSigned(text, signature)) ||
        sound.isSigned(text, signature),
    }),
  },
  signer: {
    "names another": () => ({ signer: makeVault(OTHER).signer }),
    "names one in hex": (sound) => ({
      signer: () => Buffer.from(sound.signer(), "base64url").toString("hex"),
    }),
  },
  box: {
    "is no box": () => ({ box: (_, text) => Buffer.from(text).toString("base64") }),
    "is for itself": (sound) => ({
      box: (_, text) => sound.box(Buffer.alloc(32, 9).toString("base64"), text),
    }),
    "is the same every time": (sound) => {
      const made = new Map<string, string>()
      return {
        box: (key, text) => {
          const known = made.get(key + text) ?? sound.box(key, text)
          made.set(key + text, known)
          return known
        },
      }
    },
    "loses what is not ASCII": (sound) => ({
      box: (key, text) => sound.box(key, text.replaceAll(/[^ -~]/g, "?")),
    }),
  },
  equal: {
    "takes all for equal": () => ({ equal: () => true }),
    "takes none for equal": () => ({ equal: () => false }),
    "looks at the length": () => ({ equal: (a, b) => a.length === b.length }),
    "looks at the beginning": () => ({ equal: (a, b) => b.startsWith(a) || a.startsWith(b) }),
    "ignores the case": () => ({ equal: (a, b) => a.toLowerCase() === b.toLowerCase() }),
  },
  token: {
    "is always one": () => ({ token: () => "A".repeat(43) }),
    "is short": (sound) => ({ token: () => sound.token().slice(0, 22) }),
    counts: () => {
      let n = 0
      return { token: () => `${(n += 1)}`.padStart(43, "A") }
    },
    "is half of it fixed": (sound) => ({ token: () => "A".repeat(22) + sound.token().slice(22) }),
  },
}

noticesMutants<Service>((change) => vaultContract(vaults(change)), flaws)
