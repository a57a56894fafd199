//! What are the columns of the published table made of, and which types have they?

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray, StringViewArray, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use cutline_engine::{Format, OutputColumn, RecordOrder, RewritePlan, Treatment};
use cutline_model::recoding::Label;
use cutline_table::{AttributeId, Codes, Mask};

use crate::embedded::Embedded;
use crate::infer::finds_types;
use crate::notes;
use crate::shift;
use crate::sink::{TEXT_KEY, TEXT_PLAIN, WORDS_KEY, are_few, are_raw};
use crate::source::TextStyle;

/// What a column of labels, or of other cells that are known by number, is made of.
pub(crate) enum Cells {
    /// Each record gets a view of its text.
    Views(StringViewArray),
    /// Each record gets the number of its text, and the column a dictionary of all.
    Words(ArrayRef),
    /// Each record gets its value.
    Values(ArrayRef),
}

impl Cells {
    /// The labels of an attribute.
    pub(crate) fn of_labels(mask: &Mask, attribute: AttributeId, marker: Option<&String>, format: Format) -> Self {
        Cells::of_texts(labels(mask, attribute, marker), format)
    }

    /// Parquet stores numbers where there are few texts, so that these need not be made of them first.
    fn of_texts(texts: StringViewArray, format: Format) -> Self {
        match format == Format::Parquet && are_few(&texts) {
            true => Cells::Words(Arc::new(texts.iter().collect::<StringArray>())),
            false => Cells::Views(texts),
        }
    }

    /// Are these raw fields of a text file as they are?
    pub(crate) fn are_raw(&self, text: TextStyle) -> bool {
        matches!(self, Cells::Views(texts) if are_raw(texts, text))
    }

    /// The type of the column.
    pub(crate) fn kind(&self) -> DataType {
        match self {
            Cells::Views(_) => DataType::Utf8View,
            Cells::Words(words) => {
                DataType::Dictionary(Box::new(DataType::UInt32), Box::new(words.data_type().clone()))
            }
            Cells::Values(values) => values.data_type().clone(),
        }
    }

    /// The column, from the number of each record's cell.
    pub(crate) fn column(&self, numbers: UInt32Array) -> Result<ArrayRef, ArrowError> {
        match self {
            Cells::Views(texts) => take(texts, &numbers, None),
            Cells::Words(words) => Ok(Arc::new(DictionaryArray::<UInt32Type>::try_new(numbers, words.clone())?)),
            Cells::Values(values) => take(values, &numbers, None),
        }
    }
}

/// The labels as an array to take from. Missing values are null; in CSV they get the user's own marker, if there is one.
fn labels(mask: &Mask, attribute: AttributeId, marker: Option<&String>) -> StringViewArray {
    let text = |label: Label| match label {
        Label::Text(text) => Some(text),
        Label::Missing => marker.cloned(),
    };
    mask.labels(attribute).map(text).collect()
}

/// A column that is published as it is, whose codes are known, and the cell of each as it is stored.
pub(crate) struct AsStored<'a> {
    pub(crate) codes: &'a Codes,
    pub(crate) cells: Cells,
}

impl<'a> AsStored<'a> {
    /// What is known of a column that is published as it is. Where types are found out, its cells are looked at.
    pub(crate) fn new(engine: &'a Embedded, plan: &RewritePlan, format: Format, column: &OutputColumn) -> Option<Self> {
        if finds_types(engine.source.text(), format) || !matches!(column.how, Treatment::Keep) {
            return None;
        }
        let grouped = || {
            let known = engine.remembered.get()?.column(column.source, &plan.nulls)?;
            Some((&known.codes, known.stored.as_ref()?))
        };
        // What is stored in a cell does not depend on which texts stand for a missing value.
        let drawn = || {
            let known = engine.stored.get()?.iter().find(|known| known.column == column.source)?;
            Some((&known.codes, &known.cells))
        };
        let (codes, cells) = grouped().or_else(drawn)?;
        let cells = match (cells.as_string_view_opt(), &plan.order) {
            (Some(texts), RecordOrder::Kept) => Cells::of_texts(texts.clone(), format),
            // A dictionary would be put aside with each heap of records, also with texts that none of its records has.
            (Some(texts), RecordOrder::Random(_)) => Cells::Views(texts.clone()),
            (None, _) => Cells::Values(cells.clone()),
        };
        Some(AsStored { codes, cells })
    }
}

/// The columns of the published table. `labels` says whether those of an attribute are raw text already, and the type of their column; `stored`
/// the type of each column that is published as it is and not read.
pub(crate) fn schema(
    source: &Schema,
    plan: &RewritePlan,
    types: &[Option<DataType>],
    labels: impl Fn(usize) -> (bool, DataType),
    stored: &[Option<DataType>],
) -> SchemaRef {
    let field = |((column, kind), stored): ((&OutputColumn, &Option<DataType>), &Option<DataType>)| {
        let mut field = field(source.field(column.source), &column.how, kind);
        if let Treatment::Mask(attribute) = column.how {
            let (are_raw, kind) = labels(attribute);
            field.set_data_type(kind);
            if are_raw {
                field.metadata_mut().remove(TEXT_KEY);
            }
        }
        if let Some(DataType::Dictionary(..)) = stored {
            field.metadata_mut().insert(WORDS_KEY, "");
        }
        match stored {
            Some(kind) => field.with_data_type(kind.clone()),
            None => field,
        }
    };
    let fields = plan.columns.iter().zip(types).zip(stored).map(field);
    let cluster = plan.cluster.iter().map(|(name, _)| Field::new(name, DataType::UInt32, false));
    let fields = fields.chain(cluster).collect::<Vec<_>>();
    Arc::new(Schema::new(fields).with_metadata(notes::published(source, plan)))
}

/// Masked columns hold plain text, even where the source's text is raw CSV.
fn field(source: &Field, how: &Treatment, kind: &Option<DataType>) -> Field {
    match (how, kind) {
        (Treatment::Keep, None) => source.clone(),
        (Treatment::Keep, Some(kind)) => source.clone().with_data_type(kind.clone()),
        (Treatment::Shift(_), _) if shift::has_days(source.data_type()) => {
            Field::new(source.name(), source.data_type().clone(), true).with_metadata(notes::describing(source))
        }
        (Treatment::Mask(_) | Treatment::Tokenize(_) | Treatment::Shift(_), _) => {
            let mut notes = notes::describing(source);
            notes.insert(TEXT_KEY, TEXT_PLAIN);
            Field::new(source.name(), DataType::Utf8View, true).with_metadata(notes)
        }
    }
}
