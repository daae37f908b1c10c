import { expect, onTestFinished, test, vi } from 'vitest'
import { filesOf, receive } from './received.ts'

const form = (fields: Record<string, string | File>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}
const namesOf = (fields: Record<string, string | File>) => filesOf(form(fields)).map(({ name }) => name)

test('PWA-04 shared files keep their last name only, without what no folder takes', () => {
  expect(namesOf({ files: new File(['x'], '../../etc/pass:wd') })).toEqual(['pass wd'])
  expect(namesOf({ files: new File(['x'], 'C:\\photos\\a\u0000b.jpg') })).toEqual(['a b.jpg'])
  expect(namesOf({ files: new File(['x'], '..') })).toEqual(['file'])
})

test('a share without a file has none', () => {
  expect(namesOf({ files: new File([], ''), title: 'nothing', text: '', url: '' })).toEqual([])
})

test('a shared address becomes a link, also where it is sent as text', async () => {
  const [file] = filesOf(form({ title: 'A page', text: 'https://example.org/a?b' }))
  expect(file?.name).toBe('A page.url')
  expect(await file?.text()).toBe('[InternetShortcut]\r\nURL=https://example.org/a?b\r\n')
})

test('shared text becomes a file named by its beginning', async () => {
  const [file] = filesOf(form({ text: `Milk, eggs/bread\n${'and more '.repeat(20)}` }))
  expect(file?.name).toBe('Milk, eggs bread and more and more and m.txt')
  expect(await file?.text()).toContain('Milk, eggs/bread')
})

test('PWA-04 10,000 items, and 3 GiB, are refused as too large, and nothing is kept', async () => {
  const open = vi.fn()
  vi.stubGlobal('caches', { open })
  onTestFinished(() => void vi.unstubAllGlobals())
  const resultOf = async (data: FormData) =>
    (await receive({ formData: async () => data } as Request, 'https://files.example.org/')).headers.get('location')
  const many = form({})
  for (let index = 0; index < 10_000; index += 1) many.append('files', new File(['x'], `${index}.txt`))
  expect(await resultOf(many)).toBe('https://files.example.org/files/?received=large')
  const size = vi.spyOn(Blob.prototype, 'size', 'get').mockReturnValue(3 * 1024 ** 3)
  onTestFinished(() => size.mockRestore())
  const large = form({ files: new File(['x'], 'large.bin') })
  expect(await resultOf(large)).toBe('https://files.example.org/files/?received=large')
  expect(open).not.toHaveBeenCalled()
})
