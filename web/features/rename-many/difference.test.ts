import { expect, test } from 'vitest'
import { differenceOf } from './difference.ts'

test('the difference of two names is all but their common beginning and end', () => {
  expect(differenceOf('IMG_1.jpg', 'IMG_12.jpg')).toEqual({ from: ['IMG_1', '', '.jpg'], to: ['IMG_1', '2', '.jpg'] })
  expect(differenceOf('aa', 'aaa')).toEqual({ from: ['aa', '', ''], to: ['aa', 'a', ''] })
  expect(differenceOf('a🙂b', 'a🙃b')).toEqual({ from: ['a', '🙂', 'b'], to: ['a', '🙃', 'b'] })
  expect(differenceOf('same', 'same')).toEqual({ from: ['same', '', ''], to: ['same', '', ''] })
})
