"""Programs that change lists in loops."""

import runtime as tf


def even_numbers(n):
    found = []
    for i in range(n):
        if i % 2 == 0:
            found.append(i * 3)
    return tf.stack(found)


def waiting(n):
    stack, total = [n], 0
    while stack:
        i = stack.pop()
        total += i
        if i > 1:
            stack.append(i - 1)
        if i % 7 == 0:
            stack.append(i // 2)
    return total, len(stack)


def primes(n):
    found = []
    for number in range(2, n):
        is_prime = True
        for divisor in found:
            if number % divisor == 0:
                is_prime = False
                break
        if is_prime:
            found.append(number)
    return tf.stack(found)


def replaced(n):
    items = [n, n + 1]
    for i in range(n):
        items.append(i)
        items[i] = items[-1] + items[0]
    return tf.stack(items)
