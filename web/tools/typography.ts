/** A typographic rule of a language. */
interface Slip {
  /** The error, after the key of a text. */
  says: string
  found: RegExp
}

const HALF_WIDTH: Slip = {
  says: 'has a sign of Latin width after a full one',
  found: /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}][,;?!]/u,
}

const LOOSE_DASH: Slip = { says: 'has no space that holds before a dash', found: /[^\u00A0]—/ }

/** The rules by language code, and those of all languages. */
const SLIPS: Readonly<Record<string, readonly Slip[]>> = {
  all: [{ says: 'has three dots for an ellipsis', found: /\.\.\./ }],
  ar: [{ says: 'has a Latin comma, semicolon or question mark', found: /\p{sc=Arab}[,;?]/u }],
  es: [
    { says: 'asks without “¿”', found: /^[^¿]*\?/ },
    { says: 'calls without “¡”', found: /^[^¡]*!/ },
  ],
  fr: [
    { says: 'has no space that holds before “: ; ! ?”', found: /[^\u00A0\u202F][:;!?](?:\s|$)/ },
    { says: 'has no space that holds within “« »”', found: /«[^\u00A0\u202F]|[^\u00A0\u202F]»/ },
  ],
  ja: [HALF_WIDTH],
  ru: [LOOSE_DASH],
  ua: [LOOSE_DASH],
  'zh-cn': [HALF_WIDTH],
  'zh-tw': [HALF_WIDTH],
}

/** Texts that violate the typographic rules of their language, one line each. */
export function checkTypography(code: string, catalogue: Readonly<Record<string, string>>): string[] {
  const slips = [...(SLIPS.all ?? []), ...(SLIPS[code] ?? [])]
  return Object.entries(catalogue).flatMap(([key, text]) =>
    slips.filter(({ found }) => found.test(text)).map(({ says }) => `${code}: ${key} ${says}`),
  )
}
