//! What it costs to take one class for another.

/// A cost for every (actual, predicted) pair of classes: 0 for the right class, 1 for a wrong one unless said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    classes: usize,
    costs: Vec<f64>,
}

/// A cost that was said, by the names of the classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The record's own class.
    pub actual: String,
    /// The class that it is taken for.
    pub predicted: String,
    /// What that costs.
    pub cost: f64,
}

impl Costs {
    /// Every mistake costs 1.
    pub fn equal(classes: usize) -> Self {
        let costs = (0..classes * classes).map(|pair| f64::from(u8::from(pair / classes != pair % classes))).collect();
        Costs { classes, costs }
    }

    /// The costs that were said; the name of a class that is none is returned as the error.
    pub fn new(names: &[Option<String>], said: &[Cost]) -> Result<Self, String> {
        let mut costs = Costs::equal(names.len());
        let class = |name: &str| {
            let found = names.iter().position(|other| other.as_deref() == Some(name));
            found.ok_or_else(|| name.to_owned())
        };
        for cost in said {
            let pair = class(&cost.actual)? * names.len() + class(&cost.predicted)?;
            costs.costs[pair] = cost.cost;
        }
        Ok(costs)
    }

    /// What it costs to take a record of one class for one of another.
    pub fn cost(&self, actual: usize, predicted: usize) -> f64 {
        self.costs[actual * self.classes + predicted]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_cost_one_unless_said_otherwise() {
        let names = ["no", "yes"].map(|name| Some(name.to_owned()));
        let said = [Cost { actual: "yes".into(), predicted: "no".into(), cost: 5.0 }];
        let costs = Costs::new(&names, &said).unwrap();
        assert_eq!([costs.cost(0, 0), costs.cost(0, 1), costs.cost(1, 0), costs.cost(1, 1)], [0.0, 1.0, 5.0, 0.0]);
        let unknown = [Cost { actual: "maybe".into(), predicted: "no".into(), cost: 5.0 }];
        assert_eq!(Costs::new(&names, &unknown), Err("maybe".to_owned()));
    }
}
