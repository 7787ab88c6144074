import { Socket } from "node:net"
import { describe, expect, test } from "vitest"
import {
  type MakeConnector,
  makePublicConnector,
} from "../../../adapters/webhooks/publicConnector.ts"
import { isPublic } from "../../../adapters/webhooks/publicAddress.ts"

const PUBLIC = ["93.184.216.34", "2606:4700:4700::1111"]

/** Addresses to which no webhook goes, as a name server or a socket writes them. */
const FORBIDDEN = `
  0.0.0.0 127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255
  192.168.1.1 100.64.0.1 100.100.100.200 169.254.0.1 169.254.169.254
  169.254.170.2 168.63.129.16 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
  198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250
  240.0.0.1 255.255.255.255 :: ::1 ::2 ::127.0.0.1 ::8.8.8.8
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:169.254.169.254
  ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::808:808 64:ff9b:1::a9fe:a9fe
  2002:7f00:1:: 2002:a9fe:a9fe::1 2001::1 2001:0:7f00:1:: 2001:db8::1
  3fff::1 100::1 fc00::1 fd00:ec2::254 fd20:ce::254 fe80::1 fe80::1%eth0
  fec0::1 ff02::1 5f00::1 4000::1 2606:4700::5efe:7f00:1
`
  .trim()
  .split(/\s+/)

/** A network in which sockets use the look-up and report that they have reached `reached`. */
const network = (reached?: string) => {
  const opened: Array<Socket> = []
  const make: MakeConnector = (options) => (target, callback) => {
    const lookup = "lookup" in options ? options.lookup : undefined
    lookup?.(target.hostname, { all: true }, (error, addresses) => {
      if (error !== null) return callback(error, null)
      const first = typeof addresses === "string" ? addresses : addresses[0]?.address
      const socket = new Socket()
      Object.defineProperty(socket, "remoteAddress", { value: reached ?? first })
      opened.push(socket)
      callback(null, socket)
    })
  }
  return { opened, make }
}

const connect = (hostname: string, answers: ReadonlyArray<string>, make: MakeConnector) => {
  const resolveName = async () => answers
  const open = makePublicConnector({ local: false, timeout: 20_000, resolveName }, make)
  return new Promise<unknown>((resolve) =>
    open({ hostname, protocol: "https:", port: "443" }, (...[error]) =>
      resolve(error === null ? "connected" : Reflect.get(error, "code")),
    ),
  )
}

test.each(PUBLIC)("a name that leads to %s is reached", async (address) => {
  const { make, opened } = network()
  expect(await connect("seller.example", [address], make)).toBe("connected")
  expect(opened).toHaveLength(1)
})

describe.each(FORBIDDEN)("%s", (address) => {
  test("is no public address", () => {
    expect(isPublic(address)).toBe(false)
  })

  test.each([
    ["alone", [address]],
    ["before public ones", [address, ...PUBLIC]],
    ["behind public ones", [...PUBLIC, address]],
  ])("is not connected to for a name that leads there %s", async (_, answers) => {
    const { make, opened } = network()
    expect(await connect("seller.example", answers, make)).toBe("ADDRESS_FORBIDDEN")
    expect(opened).toEqual([])
  })

  test("is let go of when a socket turns out to have reached it", async () => {
    const { make, opened } = network(address)
    expect(await connect("seller.example", PUBLIC, make)).toBe("ADDRESS_FORBIDDEN")
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true])
  })
})

test("a socket that does not say whom it has reached is let go of", async () => {
  const { make, opened } = network("")
  expect(await connect("seller.example", PUBLIC, make)).toBe("ADDRESS_FORBIDDEN")
  expect(opened[0]?.destroyed).toBe(true)
})
