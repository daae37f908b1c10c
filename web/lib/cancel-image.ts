/** Stops fetching a picture: one that has left the page would be fetched to its end, before those that are in sight. */
export function giveUp(image: HTMLImageElement): void {
  image.removeAttribute('src')
}

/** For `ref`: gives the picture up when it leaves the page. */
export const givingUp = (image: HTMLImageElement) => (): void => giveUp(image)
