//! What the system knows of the processor (Linux: `/sys` and `/proc`).

use std::fs;
use std::path::Path;

use crate::Lines;

/// A data cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cache {
    pub(crate) bytes: u64,
    ways: u64,
    sharers: u64,
}

/// What is known.
#[derive(Debug)]
pub(crate) struct System {
    /// The name of the processor.
    pub(crate) name: String,
    /// Its caches, nearest first.
    pub(crate) caches: Vec<Cache>,
    /// Bytes of a line.
    pub(crate) line_bytes: u64,
    pub(crate) page_bytes: Option<u64>,
}

const CACHES: &str = "/sys/devices/system/cpu/cpu0/cache";

/// Where nothing is known: the sizes of a usual server.
const USUAL: [u64; 3] = [32 << 10, 1 << 20, 32 << 20];

impl System {
    pub(crate) fn read() -> Self {
        let mut caches: Vec<(u64, Cache)> = Vec::new();
        let mut line_bytes = 64;
        for index in 0..8 {
            let folder = Path::new(CACHES).join(format!("index{index}"));
            let text = |name: &str| fs::read_to_string(folder.join(name)).ok().map(|text| text.trim().to_owned());
            let number = |name: &str| text(name).and_then(|text| bytes(&text));
            let (Some(level), Some(size)) = (number("level"), number("size")) else { continue };
            if text("type").as_deref() == Some("Instruction") {
                continue;
            }
            line_bytes = number("coherency_line_size").unwrap_or(line_bytes);
            let ways = number("ways_of_associativity").filter(|ways| *ways > 0).unwrap_or(8);
            let sharers = text("shared_cpu_list").map_or(1, |list| members(&list));
            caches.push((level, Cache { bytes: size, ways, sharers }));
        }
        caches.sort_by_key(|(level, _)| *level);
        let mut caches: Vec<Cache> = caches.into_iter().map(|(_, cache)| cache).collect();
        if caches.is_empty() {
            caches = USUAL.map(|bytes| Cache { bytes, ways: 8, sharers: 1 }).to_vec();
        }
        Self {
            name: name().unwrap_or_else(|| "an unknown processor".to_owned()),
            caches,
            line_bytes,
            page_bytes: page_bytes(),
        }
    }

    pub(crate) fn write(&self, lines: &mut Lines) {
        lines.push("levels", self.caches.len() as f64);
        for (level, cache) in self.caches.iter().enumerate() {
            let mut push = |name: &str, value: u64| lines.push(&format!("l{}.{name}", level + 1), value as f64);
            push("bytes", cache.bytes);
            push("ways", cache.ways);
            push("sharers", cache.sharers);
        }
        lines.push("memory.line_bytes", self.line_bytes as f64);
        if let Some(bytes) = self.page_bytes {
            lines.push("pages.bytes", bytes as f64);
        }
    }
}

/// A number with a unit.
fn bytes(text: &str) -> Option<u64> {
    let (digits, unit) = match text.as_bytes().last()? {
        b'K' => (&text[..text.len() - 1], 1 << 10),
        b'M' => (&text[..text.len() - 1], 1 << 20),
        _ => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// How many a list like `0-3,8` has.
fn members(list: &str) -> u64 {
    let count = |part: &str| match part.split_once('-') {
        Some((first, last)) => Some(last.parse::<u64>().ok()?.checked_sub(first.parse().ok()?)? + 1),
        None => part.parse::<u64>().ok().map(|_| 1),
    };
    list.split(',').filter_map(count).sum::<u64>().max(1)
}

fn name() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name") || line.starts_with("CPU part"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Bytes of a page, which the kernel tells each process.
fn page_bytes() -> Option<u64> {
    const PAGE_SIZE: u64 = 6;
    let vector = fs::read("/proc/self/auxv").ok()?;
    let words: Vec<u64> = vector.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_ne_bytes)).collect();
    words.chunks_exact(2).find(|pair| pair[0] == PAGE_SIZE).map(|pair| pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_lists_are_read() {
        assert_eq!(
            (bytes("32K"), bytes("2M"), bytes("64"), bytes("x")),
            (Some(32 << 10), Some(2 << 20), Some(64), None)
        );
        assert_eq!((members("0"), members("0-3,8"), members("0,64")), (1, 5, 2));
    }
}
