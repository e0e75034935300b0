/** Compares two secrets, in a time that does not depend on where they differ. */
export const timingSafeEqual = (secret: string, guess: string): boolean => {
  let difference = secret.length ^ guess.length
  for (let i = 0; i < secret.length; i++) difference |= secret.charCodeAt(i) ^ (guess.charCodeAt(i) | 0)
  return difference === 0
}
