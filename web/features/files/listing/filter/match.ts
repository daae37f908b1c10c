const fold = (text: string) => text.normalize('NFC').toLowerCase()

/** The items whose names contain the text, ignoring case; all of them for an empty text. */
export function matching<T extends { name: string }>(items: readonly T[], text: string | undefined): readonly T[] {
  const wanted = fold(text?.trim() ?? '')
  return wanted === '' ? items : items.filter(item => fold(item.name).includes(wanted))
}
