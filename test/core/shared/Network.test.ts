import { describe, expect, test } from "vitest"
import { covers, networkOf } from "../../../core/shared/Network.ts"

describe("a block of addresses", () => {
  test.each([
    "192.0.2.7",
    "0.0.0.0/0",
    "10.0.0.0/8",
    "::",
    "::/0",
    "2001:db8::/32",
    "1:2:3:4:5:6:7:8",
  ])("is %s", (text) => expect(networkOf(text)).toBeDefined())

  test.each([
    "",
    "1",
    "192.0.2",
    "192.0.2.256",
    "192.0.2.07",
    "192.0.2.1/33",
    "192.0.2.1/",
    "1.2.3.4/-1",
    "1:2:3:4:5:6:7",
    "1::2::3",
    "1:2:3:4:5:6:7:8::",
    "::12345",
    "::/129",
    "fe80::1%eth0",
    "localhost",
    " 10.0.0.1",
    "10.0.0.1\n",
    "::ffff:1.2.3.4",
    "x::",
  ])("is not %j", (text) => expect(networkOf(text)).toBeUndefined())
})

test.each<[string, string, boolean]>([
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.0/8", "10.1.0.0/16", true],
  ["10.1.0.0/16", "10.0.0.0/8", false],
  ["10.0.0.0/8", "11.0.0.1", false],
  ["0.0.0.0/0", "255.255.255.255", true],
  ["192.0.2.7", "192.0.2.7", true],
  ["192.0.2.7", "192.0.2.8", false],
  ["2001:db8::/32", "2001:db8:1::1", true],
  ["2001:db8::/32", "2001:DB8:0:0:0:0:0:1", true],
  ["2001:db8::/32", "2001:db9::1", false],
  ["::/0", "10.0.0.1", false],
  ["0.0.0.0/0", "::1", false],
  ["nonsense", "10.0.0.1", false],
  ["0.0.0.0/0", "unknown", false],
])("%s covers %s: %s", (outer, inner, expected) => expect(covers(outer, inner)).toBe(expected))
