import { nameKey } from "./Text.ts"

/**
 * Characters outside ASCII that look like an ASCII letter, by their code points: those of Unicode's
 * confusables (UTS 39) that no compatibility form and no change of case turns into that letter. A
 * character that looks like several letters is listed once.
 */
const LOOK_LIKE: { readonly [letter: string]: ReadonlyArray<string> } = {
  a: ["251 3b1 430 15c5 a4ee ab7a 102a0 16f40"],
  b: [
    "180 183 185 253 3b2 431 432 44c 463 48d 13fc 1472",
    "1473 15af 15f7 a4d0 a7b5 ab9f 10282 102a1 10301",
  ],
  c: ["23c 3c2 3c3 441 4ab 1d04 2ca5 a4da abaf 102a2 10302 1043d", "1051c 118e9 118f2"],
  d: ["f0 111 18c 256 257 501 146f 15de 15ea a4d2 a4d3 ab70", "abb7"],
  e: ["247 3b5 435 4bd 4bf 2d39 a4f0 ab32 ab7c 10286 118c6 118ce"],
  f: ["192 3dd 584 15b4 1d6e 1e9d a4dd a799 ab35 10287 102a5 10525", "118c2"],
  g: ["18d 1e5 260 261 50d 581 13fb 1d83 a4d6 ab90"],
  h: ["127 266 3b7 43d 45b 4a3 4bb 4c8 4ca 570 13fa 157c", "2c68 2c8f a4e7 a695 ab8b ab92 102cf"],
  i: ["131 268 269 26a 3b9 456 1d7b 1d7c a647 ab75 118c3"],
  j: ["249 29d 3f3 458 148d a4d9 ab7b"],
  k: ["199 3ba 43a 49b 49f 16d5 2c6a 2c95 a4d7 a741 abb6 10518"],
  l: [
    "4cf 142 19a 1c0 26b 26d 5d5 5df 627 661 673 6f1 7ca",
    "14aa 16c1 2c93 2cd1 2d4f a4e1 a4f2 abae 1028a 10309 10320 10443",
    "10526 118d2 16f16 16f28 1e8c7",
  ],
  m: ["3bc 3fb 43c 4ce 15f0 16d6 2c99 a4df ab87 102b0 10311"],
  n: ["19e 272 273 3bd 578 57c 1d70 2c9b a4e0 10513"],
  o: [
    "f8 275 3b8 3bf 43e 473 4e9 585 5e1 647 665 6be",
    "6c1 6d5 6f5 6ff 7c0 966 9e6 a66 ae6 b20 b66 be6",
    "c66 ce6 d20 d66 e50 ed0 1010 101d 1040 10ff 12d0 1d0f",
    "1d11 2c9f 2d31 2d41 2d54 3007 a4f3 a74b ab3d ab3e ab74 ab8e",
    "abbb 10292 102ab 1042c 104ea 10516 114d0 118c8 118d5 118d7 118e0",
  ],
  p: ["1a5 3c1 440 146d 1d7d 2ca3 a4d1 abb2 10295"],
  q: ["2a0 51b 563 566 2d55"],
  r: ["24d 27c 27d 280 433 493 1587 1d26 1d72 2c85 a4e3 ab47", "ab48 ab71 ab81 aba2 104dc 16f35"],
  s: ["1bd 282 455 57f 1d74 a4e2 a731 aba5 abaa 10296 10448 118c1", "16f3a"],
  t: ["167 1ad 288 3c4 442 4ad 1d75 2c66 2ca7 a4d4 ab72 10297", "102b1 10315 118dc 16f0a"],
  u: ["289 28b 3c5 57d 1200 144c 1d1c 1d7e a4f4 a79f ab4e ab52", "ab9c 104f6 118d8 16f42"],
  v: ["475 5d8 667 6f7 142f 1d20 2d38 a4e6 a6df aba9 1051d 11706", "118c0 16f08"],
  w: ["26f 461 47d 51d 561 1d21 a4ea a761 ab83 aba4 114c5 1170a", "1170e 1170f 118e6 118ef"],
  x: ["3c7 445 4b3 1541 157d 16b7 2cad 2d5d a4eb ab53 10290 102b4", "10317 10322 10527 118ec"],
  y: [
    "1b4 24f 263 28f 3b3 443 4af 4b1 10e7 1d8c 1eff 2ca9",
    "a4ec ab5a ab79 ab8d 102b2 118c4 16f43",
  ],
  z: ["1b6 225 290 3b6 1d22 1d76 a4dc ab93 102f5 118c9 118e5"],
}

/** Hyphens and quotation marks. A letter such as the okina is no disguise in a word. */
const MARKS: typeof LOOK_LIKE = {
  "-": ["2d7 58a 1806 2010 2011 2012 2013 2014 2015 2043 2212"],
  "'": [
    "60 2b9 2bb 2bc 2bd 2be 2bf 2c8 55a 5f3 7f4 7f5",
    "2018 2019 201a 201b 2032 2035 a78b a78c",
  ],
  '"': ["2ba 2ee 5f4 201c 201d 201e 201f 2033 2036"],
}

const pairsOf = (table: typeof LOOK_LIKE) =>
  Object.entries(table).flatMap(([character, codes]) =>
    codes
      .flatMap((some) => some.split(" "))
      .map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), character] as const),
  )

const LETTERS: ReadonlyMap<string, string> = new Map([
  ["0", "o"],
  ["1", "l"],
  ["|", "l"],
  ...pairsOf(LOOK_LIKE),
])

const SHAPES: ReadonlyMap<string, string> = new Map([...LETTERS, ...pairsOf(MARKS)])

/** A capital I after a small letter looks like a small l. In a word of capitals it stays an I. */
const CAPITAL_I = /(?<=\p{Ll}I*)I/gu

/**
 * Returns the look of a name. People cannot distinguish names with the same look, whatever their
 * scripts and widths, and whatever invisible characters, dots and spaces they end in. It is used
 * for comparison and never shown.
 */
export const lookOf = (name: string): string => {
  const spaced = name.normalize("NFKC").replaceAll("\u2800", " ")
  const folded = nameKey(spaced.replace(CAPITAL_I, "l"))
  const look = Array.from(folded, (character) => SHAPES.get(character) ?? character).join("")
  return look.replace(/[\s.,\u00b7]+$/u, "").replace(/^[\s.,\u00b7]+/u, "")
}

const WORDS = /[\p{L}\p{M}\p{N}]+/gu
const LATIN = /[a-z]/u
/** Letters of languages in Latin script, such as ø. */
const EVERYDAY = /[\u0000-\u024f\u1e00-\u1eff]/u
const EDGES = /^[\s.,\u00b7]|[\s.,\u00b7]$/u

/**
 * Returns whether a name may imitate another: it has a word of letters from several scripts, is
 * written in letters of another form or only in letters that look like Latin ones, or begins or
 * ends in dots. A name of one script that has letters of its own does not.
 */
export const isDisguised = (name: string): boolean => {
  const plain = name.normalize("NFKC").toLowerCase()
  const words = plain.match(WORDS) ?? []
  const isForeign = (character: string) => LETTERS.has(character) && !EVERYDAY.test(character)
  const isMixed = words.some((word) => LATIN.test(word) && [...word].some(isForeign))
  const letters = [...words.join("")]
  const looksLatin = letters.length > 0 && letters.every(isForeign)
  const ascii = (text: string) => text.replace(/[^a-z0-9]/gu, "").length
  const isOtherForm = ascii(plain) !== ascii(name.normalize("NFC").toLowerCase())
  return isMixed || looksLatin || isOtherForm || EDGES.test(name)
}
