import { describe, expect, test } from "vitest"
import { refusalOf } from "../../../adapters/webhooks/receiverAddress.ts"

/** URLs of receivers on the public internet. */
const good = [
  "https://example.com",
  "https://example.com/",
  "https://example.com/hooks?a=1&b=%20#part",
  "HTTPS://EXAMPLE.COM/Hooks",
  "https://example.com:8443/hooks",
  "https://example.com:65535/",
  "https://example.com./hooks",
  "https://a.b.c.d.example.co.uk/",
  "https://my_service.example.com/",
  "https://xn--mnchen-3ya.example/",
  "https://münchen.example/",
  "https://例え.テスト/",
  "https://8.8.8.8/hooks",
  "https://93.184.216.34:444/",
  "https://0x08080808/",
  "https://134744072/",
  "https://[2606:4700:4700::1111]/hooks",
  "https://[2a00:1450:4001:82b::200e]:8443/",
  "https://example.com/user@host",
  "https://example.com/?next=http://127.0.0.1/",
  "https://127.0.0.1.example.com/",
  "https://localhost.example.com/",
  "https://seller.example/hooks",
  "https://hooks.example.test/",
]

const addresses = {
  "an IPv4 address of this machine": [
    "https://127.0.0.1/",
    "https://127.0.0.1./",
    "https://127.0.0.1:8443/",
    "https://127.1/",
    "https://127.0.1/",
    "https://127.255.255.254/",
    "https://0.0.0.0/",
    "https://0/",
    "https://0.1.2.3/",
  ],
  "a decimal, hexadecimal or octal form of one": [
    "https://2130706433/",
    "https://2130706433./",
    "https://0x7f000001/",
    "https://0x7F.0x0.0x0.0x1/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://0177.0x0.0.01/",
    "https://127.0.0.01/",
    "https://0x00000000007f.0.0.1/",
    "https://0xa9fea9fe/",
    "https://2852039166/",
    "https://0251.0376.0251.0376/",
    "https://0xA.0.0.1/",
    "https://012.0.0.1/",
    "https://3232235777/",
  ],
  "one in other characters": [
    "https://１２７.０.０.１/",
    "https://①②⑦.⓪.⓪.①/",
    "https://127。0。0。1/",
    "https://%31%32%37.0.0.1/",
    "https://127%2e0%2e0%2e1/",
    "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    "https://%6cocalhost/",
    "https://loc\u00adalhost/",
  ],
  "a private, shared or special IPv4 address": [
    "https://10.0.0.1/",
    "https://10.255.255.255/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.0.1/",
    "https://100.64.0.1/",
    "https://100.127.255.254/",
    "https://169.254.1.1/",
    "https://192.0.0.8/",
    "https://192.0.2.1/",
    "https://192.88.99.1/",
    "https://198.18.0.1/",
    "https://198.51.100.1/",
    "https://203.0.113.1/",
    "https://224.0.0.1/",
    "https://239.255.255.250/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://192.31.196.1/",
    "https://192.52.193.1/",
    "https://192.175.48.1/",
  ],
  "a cloud's metadata or management": [
    "https://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254./",
    "https://169.254.170.2/",
    "https://100.100.100.200/",
    "https://192.0.0.192/",
    "https://168.63.129.16/",
    "https://168.63.129.16./",
    "https://0xa83f8110/",
    "https://2822734096/",
    "https://[fd00:ec2::254]/",
    "https://[fd20:ce::254]/",
    "https://metadata.google.internal/",
    "https://metadata.google.internal./",
  ],
  "a special IPv6 address": [
    "https://[::]/",
    "https://[::1]/",
    "https://[::1]:8443/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[fe80::1]/",
    "https://[febf::1]/",
    "https://[fec0::1]/",
    "https://[fc00::1]/",
    "https://[fd12:3456:789a::1]/",
    "https://[ff02::1]/",
    "https://[100::1]/",
    "https://[2001:db8::1]/",
    "https://[3fff::1]/",
    "https://[2001:2::1]/",
    "https://[2001:3::1]/",
    "https://[2001:10::1]/",
    "https://[2001:20::1]/",
    "https://[2001:30::1]/",
    "https://[2620:4f:8000::1]/",
    "https://[5f00::1]/",
    "https://[4000::1]/",
  ],
  "an IPv6 form of an IPv4 address": [
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[::ffff:169.254.169.254]/",
    "https://[0:0:0:0:0:ffff:a00:1]/",
    "https://[::127.0.0.1]/",
    "https://[::8.8.8.8]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::127.0.0.1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[64:ff9b::8.8.8.8]/",
    "https://[64:ff9b:1::a00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2002:a9fe:a9fe::1]/",
    "https://[2002:808:808::1]/",
    "https://[2001:0:7f00:1::]/",
    "https://[2001::f7f7:f7f7]/",
    "https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
    "https://[2606:4700::5efe:7f00:1]/",
    "https://[2606:4700::200:5efe:a00:1]/",
  ],
}

const forms = {
  "a name that leads nowhere public": [
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://localhost:8443/",
    "https://foo.localhost/",
    "https://printer.local/",
    "https://db.internal/",
    "https://nas.home.arpa/",
    "https://intranet/",
    "https://com./",
  ],
  "no valid name": [
    "https://./",
    "https://../",
    "https://a..example.com/",
    "https://.example.com/",
    "https://example.com../",
    "https://-a.example.com/",
    "https://a-.example.com/",
    "https://*.example.com/",
    "https://exa!mple.com/",
    "https://exa$mple.com/",
    `https://${"a".repeat(64)}.example.com/`,
    `https://${"a.".repeat(127)}com/`,
    "https://xn--/",
    "https://256.1.1.1/",
    "https://1.2.3.4.5/",
    "https://0x1ffffffff/",
    "https://[::1/",
    "https://[::g]/",
    "https://[fe80::1%25eth0]/",
    "https://[127.0.0.1]/",
  ],
  "a user name or password": [
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://:pass@example.com/",
    "https://@example.com/",
    "https://:@example.com/",
    "https://example.com@127.0.0.1/",
    "https://127.0.0.1@example.com/",
    "https://example.com:443@10.0.0.1/",
  ],
  "a port that is none": [
    "https://example.com:0/",
    "https://example.com:65536/",
    "https://example.com:-1/",
    "https://example.com:http/",
  ],
  "another scheme or shape": [
    "",
    "example.com",
    "//example.com/",
    "https:",
    "https://",
    "https:///",
    "https:///example.com/",
    "https:example.com",
    "https:/example.com",
    "https:////example.com/",
    "https://?a",
    "https://#a",
    "http://example.com/",
    "http://8.8.8.8/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com:70/",
    "javascript:alert(1)",
    "data:text/plain,hi",
    "ws://example.com/",
    "unix:/run/docker.sock",
    "blob:https://example.com/1",
  ],
  "what a parser would overlook": [
    " https://example.com/",
    "https://example.com/ ",
    "https://example.com/a b",
    "https://exam\tple.com/",
    "https://exam\nple.com/",
    "https://example.com/\r\nX-Evil: 1",
    "https://example.com/\u0000",
    "https://example.com\\@127.0.0.1/",
    "https:\\\\example.com\\",
    "https://example.com/\u00a0",
  ],
}

describe.each([
  ["by default", false],
  ["with local receivers", true],
])("%s", (_, local) => {
  test.each(good)("%j can be a receiver", (url) => {
    expect(refusalOf(url, local)).toBeUndefined()
  })

  describe.each(Object.entries(forms))("%s cannot", (_, urls) => {
    const judged = local ? urls.filter((url) => !/^https:\/\/localhost[:/]/i.test(url)) : urls
    test.each(judged)("%j", (url) => {
      expect(refusalOf(url, local)).toMatch(/^must /)
    })
  })
})

describe.each(Object.entries(addresses))("%s cannot be a receiver", (_, urls) => {
  test.each(urls)("%j", (url) => {
    expect(refusalOf(url, false)).toMatch(/^must (lead to an address|name a host|name its host)/)
  })
})

test("there are more than 120 forms, none of them twice", () => {
  const all = [...good, ...Object.values(addresses).flat(), ...Object.values(forms).flat()]
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(120)
})

test("a URL is at most 2048 characters", () => {
  const url = (length: number) => "https://example.com/".padEnd(length, "a")
  expect(refusalOf(url(2_048), false)).toBeUndefined()
  expect(refusalOf(url(2_049), false)).toBe("must be at most 2048 characters")
})

describe("receivers on this machine", () => {
  const local = [
    "http://localhost/",
    "http://localhost:3000/hook",
    "http://LOCALHOST:3000/",
    "https://localhost:3443/",
    "http://127.0.0.1:3000/",
    "https://127.0.0.1/",
    "http://[::1]:3000/",
    "http://[0:0:0:0:0:0:0:1]:3000/",
  ]
  test.each(local)("%j is allowed where the installation allows them", (url) => {
    expect(refusalOf(url, true)).toBeUndefined()
    expect(refusalOf(url, false)).toMatch(/^must /)
  })

  const others = [
    "http://localhost./",
    "http://foo.localhost:3000/",
    "http://localhost.localdomain/",
    "http://127.0.0.2:3000/",
    "http://0.0.0.0:3000/",
    "http://[::ffff:127.0.0.1]:3000/",
    "http://10.0.0.1/",
    "http://169.254.169.254/",
    "http://example.com/",
    "http://user@localhost:3000/",
    "http://localhost:0/",
  ]
  test.each(others)("%j is not even there", (url) => {
    expect(refusalOf(url, true)).toMatch(/^must /)
  })
})
