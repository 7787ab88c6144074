const HOST = "shop.example"

/** The longest way back that is allowed. */
const LONGEST = `https://${HOST}/`.padEnd(2_048, "a")

/** Return URLs that no payment may have, by what they attempt. */
export const REFUSED_WAYS: ReadonlyArray<readonly [what: string, return_url: string]> = [
  ["a script", "javascript:alert(1)"],
  ["a script in capitals", "JavaScript:alert(1)"],
  ["a script that looks like a host", "javascript://shop.example/%0aalert(1)"],
  ["a document of its own", "data:text/html,<script>alert(1)</script>"],
  ["a script of old", "vbscript:msgbox(1)"],
  ["a file", "file:///etc/passwd"],
  ["a part of the browser", "blob:https://shop.example/0192f0aa"],
  ["an app", "intent://shop.example#Intent;scheme=https;end"],
  ["no scheme", "//evil.example/"],
  ["a path", "/pay/elsewhere"],
  ["slashes turned round", String.raw`https:\\evil.example`],
  ["a backslash before the host", String.raw`https:/\evil.example`],
  ["a backslash behind the host", String.raw`https://shop.example\@evil.example/`],
  ["a backslash in the path", String.raw`https://shop.example/a\b`],
  ["no slashes", "https:evil.example"],
  ["a third slash", "https:///evil.example"],
  ["no host", "https://"],
  ["a port alone", "https://:443/"],
  ["a name before the host", "https://shop.example@evil.example/"],
  ["a name and a password", "https://shop.example:443@evil.example/"],
  ["an empty name", "https://@evil.example/"],
  ["an encoded at-sign", "https://shop.example%40evil.example/"],
  ["an encoded slash", "https://shop.example%2f.evil.example/"],
  ["a port that is none", "https://shop.example:http/"],
  ["half a bracket", "https://[::1/"],
  ["markup in the host", `https://"><script>alert(1)</script>/`],
  ["a line break", "https://shop.example/\r\nLocation: https://evil.example"],
  ["a line break in the scheme", "java\nscript:alert(1)"],
  ["a tab in the scheme", "https\t://evil.example"],
  ["a tab before it", "\thttps://evil.example"],
  ["a blank before it", " https://evil.example"],
  ["a blank in it", "https://shop.example /evil"],
  ["a null", "https://shop.example/\u0000"],
  ["an escape", "https://shop.example/\u001b[31m"],
  ["text turned round", "https://shop.example/\u202egnp.exe"],
  ["an isolated direction", "https://\u2066moc.live\u2069.example/"],
  ["an invisible mark", "https://shop.example\u200b.evil.example/"],
  ["a direction mark", "https://shop.example\u200e/"],
  ["a line separator", "https://shop.example/\u2028"],
  ["another blank", "https://shop.example\u3000.evil.example/"],
  ["2,049 characters", `${LONGEST}a`],
]

/** Unusual return URLs that are allowed, with their target and the displayed host. */
export const ALLOWED_WAYS: ReadonlyArray<
  readonly [what: string, return_url: string, href: string, host: string]
> = [
  ["a website", `https://${HOST}/orders/1?x=1#y`, `https://${HOST}/orders/1?x=1#y`, HOST],
  ["capitals", `HTTPS://SHOP.EXAMPLE`, `https://${HOST}/`, HOST],
  ["a port", `http://${HOST}:8080/`, `http://${HOST}:8080/`, `${HOST}:8080`],
  ["a number for a host", "http://2130706433/", "http://127.0.0.1/", "127.0.0.1"],
  ["an address of version 6", "http://[::1]:8080/", "http://[::1]:8080/", "[::1]:8080"],
  [
    "letters that look like others",
    "https://\u0455hop.example/",
    "https://xn--hop-ehd.example/",
    "xn--hop-ehd.example",
  ],
  [
    "letters that are read from the right",
    "https://אבג.example/",
    "https://xn--4dbcd.example/",
    "xn--4dbcd.example",
  ],
  ["wide letters", "https://ｓｈｏｐ.example/", `https://${HOST}/`, HOST],
  [
    "an at-sign in the path",
    `https://${HOST}/@evil.example`,
    `https://${HOST}/@evil.example`,
    HOST,
  ],
  [
    "an at-sign in the query",
    `https://${HOST}?@evil.example`,
    `https://${HOST}/?@evil.example`,
    HOST,
  ],
  ["a name behind a hash", `https://${HOST}#@evil.example`, `https://${HOST}/#@evil.example`, HOST],
  [
    "another address in the query",
    `https://${HOST}/out?to=javascript:alert(1)`,
    `https://${HOST}/out?to=javascript:alert(1)`,
    HOST,
  ],
  [
    "markup in the path",
    `https://${HOST}/"><script>alert(1)</script>`,
    `https://${HOST}/%22%3E%3Cscript%3Ealert(1)%3C/script%3E`,
    HOST,
  ],
  [
    "encoded line breaks",
    `https://${HOST}/%0d%0aLocation:%20https://evil.example`,
    `https://${HOST}/%0d%0aLocation:%20https://evil.example`,
    HOST,
  ],
  [
    "a host of many names",
    `https://${"www.".repeat(40)}${HOST}.evil.example/`,
    `https://${"www.".repeat(40)}${HOST}.evil.example/`,
    `${"www.".repeat(40)}${HOST}.evil.example`,
  ],
  ["2,048 characters", LONGEST, LONGEST, HOST],
]
