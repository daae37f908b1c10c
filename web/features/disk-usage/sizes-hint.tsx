import { useEffect } from 'react'
import { t, useLocale } from '../../lib/i18n/index.ts'
import { sizesHintStore } from '../files/items/folder-sizes.ts'

/** Says where the sizes are while the column of sizes has none of folders. Renders nothing. */
export default function SizesHint() {
  const { code } = useLocale()
  // The text is that of the language.
  useEffect(() => {
    sizesHintStore.set(t('sizes.hint'))
    return () => sizesHintStore.set(undefined)
  }, [code])
  return null
}
