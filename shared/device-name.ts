/** Browsers by a token of their `User-Agent`; those that imitate others come first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Display names of browser and system of a `User-Agent`; its first word where neither is known. */
export function deviceName(agent: string): string {
  const found = [BROWSERS, SYSTEMS].map(list => list.find(([pattern]) => pattern.test(agent))?.[1])
  return found.filter(Boolean).join(' · ') || (agent.split(/[\s/]/)[0] ?? '')
}
