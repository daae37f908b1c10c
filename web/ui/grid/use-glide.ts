import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Arrangement, GlideProps } from './glide.ts'
import { lateParts } from './late.ts'

/** Rows that another order, a deletion or a new item has moved glide from where they were (FLIP). */
export function useGlide(props: GlideProps, body: RefObject<HTMLElement | null>): void {
  const last = useRef<Arrangement>(undefined)
  useLayoutEffect(() => {
    last.current = lateParts()?.glideRows(last.current, props, body.current)
  })
}
