const POLYNOMIAL = 0x1021

const addByte = (crc: number, byte: number): number => {
  let sum = crc ^ (byte << 8)
  for (let bit = 0; bit < 8; bit++) {
    sum = (sum & 0x8000) === 0 ? sum << 1 : (sum << 1) ^ POLYNOMIAL
  }
  return sum & 0xffff
}

const utf8 = (point: number): ReadonlyArray<number> => {
  if (point < 0x80) return [point]
  if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 0x3f)]
  if (point < 0x10000) {
    return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)]
  }
  return [
    0xf0 | (point >> 18),
    0x80 | ((point >> 12) & 0x3f),
    0x80 | ((point >> 6) & 0x3f),
    0x80 | (point & 0x3f),
  ]
}

/** Computes the CRC of merchant codes: CRC-16 with 0x1021 from 0xFFFF, over the bytes of UTF-8. */
export const crc16 = (text: string): number => {
  let crc = 0xffff
  for (const character of text) {
    for (const byte of utf8(character.codePointAt(0) ?? 0)) crc = addByte(crc, byte)
  }
  return crc
}

/** Formats a CRC as in codes: four hexadecimal digits. */
export const crcText = (crc: number): string => crc.toString(16).toUpperCase().padStart(4, "0")
